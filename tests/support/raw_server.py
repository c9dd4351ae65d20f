"""A server that answers each connection with bytes of a test's own, as slowly as it likes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


@dataclass
class RawServer:
    """Its address, and the connections that it took."""

    url: str
    taken: list[bytes] = field(default_factory=list)


@contextmanager
def raw_server(*pieces: bytes | float | Iterable[bytes | float], hangs: bool = False) -> Iterator[RawServer]:
    """Answer every connection with the pieces; numbers are pauses in seconds, and an iterable may have no end.

    Parameters
    ----------
    hangs
        Whether connections stay open behind the last piece, until the block ends.
    """
    closing = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))
    server = RawServer(f"http://127.0.0.1:{listening.getsockname()[1]}/v1")

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            server.taken.append(_request(connection))
            for piece in _flat(pieces):
                if closing.is_set():
                    return
                if isinstance(piece, float):
                    time.sleep(piece)
                else:
                    connection.sendall(piece)
            if hangs:
                closing.wait(30)

    def accept() -> None:
        while not closing.is_set():
            with suppress(OSError):
                connection, _ = listening.accept()
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        closing.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(5)


def _flat(pieces: Iterable[bytes | float | Iterable[bytes | float]]) -> Iterator[bytes | float]:
    for piece in pieces:
        if isinstance(piece, bytes | float):
            yield piece
        else:
            yield from piece


def _request(connection: socket.socket) -> bytes:
    """A whole request: head and body."""
    read = bytearray()
    while b"\r\n\r\n" not in read:
        read += connection.recv(65_536)
    head, _, body = bytes(read).partition(b"\r\n\r\n")
    named = (line.lower().partition(b":") for line in head.split(b"\r\n"))
    length = next(int(value) for name, _, value in named if name == b"content-length")
    while len(body) < length:
        body += connection.recv(65_536)
    return head
