"""What is fetched of the web, and what is not."""

from __future__ import annotations

import ipaddress
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from anamnesis.adapters.connectors import web
from anamnesis.adapters.connectors.web import WebFetcher, checked_url
from anamnesis.domain.errors import InvalidInput, StoreUnavailable, TooLarge

PUBLIC = "93.184.215.14"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a.ics",
        "ftp://example.org/a.ics",
        "file:///etc/passwd",
        "https://",
        "https:///a",
        "https://user:secret@example.org/a.ics",
        "https://example.org:8443/a.ics",
        "https://example.org:notaport/",
        "https://example.org/a b",
        "https://example.org/ñ",
        "webcal://example.org/a.ics",
        "",
        "\x00",
    ],
)
def test_only_plain_https_is_fetched(url: str) -> None:
    """A URL of another scheme or port, with a user or not encoded is refused with the field's name (SV-13)."""
    with pytest.raises(InvalidInput) as refused:
        WebFetcher(lambda _: [PUBLIC]).fetch(url, max_bytes=10)
    assert refused.value.field == "url"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.7",
        "192.168.1.1",
        "172.16.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "224.0.0.1",
        "::1",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "2002:7f00:0001::",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::a9fe:a9fe",
        "::169.254.169.254",
        "::ffff:0:169.254.169.254",
        "2001:0:a9fe:a9fe::",
        "fec0::1",
        "nonsense",
    ],
)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    """A name that leads into the machine's own network, among public addresses too, is refused (SV-13)."""
    with pytest.raises(InvalidInput) as refused:
        WebFetcher(lambda _: [PUBLIC, address]).fetch("https://example.org/a.ics", max_bytes=10)
    assert refused.value.field == "url"


def test_a_name_without_an_address_is_unavailable() -> None:
    """A name that nobody knows is a failure that may pass, and nothing is kept of it (SV-14)."""

    def unknown(_: str) -> list[str]:
        raise OSError("no such host")

    with pytest.raises(StoreUnavailable):
        WebFetcher(unknown).fetch("https://example.org/", max_bytes=10)


def test_the_target_keeps_its_query() -> None:
    """The path and the query are asked for as they are written (WD-6)."""
    assert checked_url("https://example.org/a%20b.ics?k=1&l=2#x") == (
        "example.org",
        443,
        "/a%20b.ics?k=1&l=2",
    )
    assert checked_url("https://example.org") == ("example.org", 443, "/")


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "https://example.org/")
            self.end_headers()
            return
        body = b"x" * 100_000 if self.path == "/large" else f"{self.headers['Host']} {self.path}".encode()
        self.send_response(404 if self.path == "/missing" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextmanager
def _served(folder: Path, name: str) -> Iterator[int]:
    """A server with a certificate of its own for one name, on loopback; the certificate lies in the folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    server = HTTPServer(("127.0.0.1", 0), _Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def calendars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WebFetcher]:
    """A fetcher whose only public address is a server here, under the name calendars.example."""
    with _served(tmp_path, "calendars.example") as port:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        monkeypatch.setattr(web, "_is_public", lambda address: ipaddress.ip_address(address).is_loopback)
        real = web.checked_url
        monkeypatch.setattr(web, "checked_url", lambda url: (real(url)[0], port, real(url)[2]))
        yield WebFetcher(lambda _: ["127.0.0.1"])


def test_a_calendar_is_fetched_under_its_name(calendars: WebFetcher) -> None:
    """The address that was checked is asked, under the name and with the name's certificate (SV-13, WD-6)."""
    answer = calendars.fetch("https://calendars.example/a.ics?k=1", max_bytes=1_000)
    assert answer == b"calendars.example /a.ics?k=1"


def test_another_names_certificate_is_not_taken(calendars: WebFetcher) -> None:
    """A server that shows another name's certificate is not listened to (SV-13)."""
    with pytest.raises(StoreUnavailable):
        calendars.fetch("https://other.example/a.ics", max_bytes=1_000)


@pytest.mark.parametrize("path", ["moved", "missing"])
def test_only_an_answer_counts(calendars: WebFetcher, path: str) -> None:
    """A redirect is not followed, and an error is no calendar (SV-13)."""
    with pytest.raises(StoreUnavailable):
        calendars.fetch(f"https://calendars.example/{path}", max_bytes=1_000)


def test_no_more_is_read_than_is_wanted(calendars: WebFetcher) -> None:
    """An answer that is larger than allowed is refused (SV-12)."""
    with pytest.raises(TooLarge):
        calendars.fetch("https://calendars.example/large", max_bytes=1_000)
