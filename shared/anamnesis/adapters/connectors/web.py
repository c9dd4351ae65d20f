"""Fetch what a tenant's URL names, and nothing that only this machine can reach (SV-13)."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import urlsplit

import urllib3

from anamnesis.domain.errors import InvalidInput, StoreUnavailable, TooLarge

#: Longest wait for a connection, and for each piece of the answer, in seconds. Ours.
CONNECT_SECONDS: Final = 3.0
READ_SECONDS: Final = 5.0
#: All that is routed of IPv6 (RFC 4291, 2.4). Outside of it addresses of IPv4 hide, such as those of NAT64 (RFC 6052).
_GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
_PIECE: Final = 65_536
_FAILED: Final = "the address could not be fetched"


def addresses_of(host: str) -> list[str]:
    """Every address that a host name has now.

    Raises
    ------
    OSError
        If it has none.
    """
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class WebFetcher:
    """Fetches over HTTPS, from addresses of the public Internet alone.

    The name is looked up once and the connection made to that very address, with the certificate checked for the name:
    a name that changes its address in between leads nowhere else. Redirects are not followed.

    Parameters
    ----------
    resolve
        Addresses of a host name.
    """

    def __init__(self, resolve: Callable[[str], Iterable[str]] = addresses_of) -> None:
        self._resolve = resolve

    def fetch(self, url: str, *, max_bytes: int) -> bytes:
        """What the URL returns.

        Raises
        ------
        InvalidInput
            If the URL is none that is fetched; names the field ``url``.
        TooLarge
            If there are more than `max_bytes`; what is beyond is not read.
        StoreUnavailable
            If it does not answer, or with anything but 200.
        """
        host, port, target = checked_url(url)
        try:
            addresses = list(self._resolve(host))
        except OSError:
            raise StoreUnavailable(_FAILED) from None
        if not addresses or not all(_is_public(address) for address in addresses):
            raise InvalidInput("must lie on the public Internet", field="url")
        pool = urllib3.HTTPSConnectionPool(
            addresses[0],
            port,
            server_hostname=host,
            assert_hostname=host,
            timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS),
            retries=False,
        )
        try:
            with pool.request(
                "GET",
                target,
                headers={"Host": host, "Accept": "text/calendar, */*;q=0.1"},
                preload_content=False,
            ) as answer:
                if answer.status != 200:
                    raise StoreUnavailable(f"{_FAILED}: it answers {answer.status}")
                return _bounded(answer.stream(_PIECE), max_bytes)
        except (urllib3.exceptions.HTTPError, OSError):
            raise StoreUnavailable(_FAILED) from None
        finally:
            pool.close()


def checked_url(url: str) -> tuple[str, int, str]:
    """Host, port and request target of a URL that may be fetched.

    Raises
    ------
    InvalidInput
        If it is not ``https://host[:port]/…`` without a user, or names another port than 443; names ``url``.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
        host = parts.hostname or ""
        host.encode("idna")
    except (ValueError, UnicodeError):
        raise InvalidInput("is no URL", field="url") from None
    if parts.scheme != "https" or not host or parts.username is not None or port not in {None, 443}:
        raise InvalidInput("must be https://host/… on port 443, without a user name", field="url")
    if not url.isascii() or any(c.isspace() for c in url):
        raise InvalidInput("must be percent-encoded", field="url")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return host, 443, target


def _is_public(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found not in _GLOBAL_UNICAST:
            return False
        if found.sixtofour is not None and not found.sixtofour.is_global:
            return False
    return found.is_global and not found.is_multicast


def _bounded(pieces: Iterable[bytes], max_bytes: int) -> bytes:
    read = bytearray()
    for piece in pieces:
        read += piece
        if len(read) > max_bytes:
            raise TooLarge(f"must not return more than {max_bytes} bytes", field="url")
    return bytes(read)
