"""What a Word file embeds whole (``w:altChunk``) and Word only takes in when it opens the file: pages, text, e-mail."""

from __future__ import annotations

import email
import email.policy
from email.message import Message

from anamnesis.adapters.reading.html import page_blocks
from anamnesis.domain.errors import FileRefused
from anamnesis.domain.reading import markup
from anamnesis.domain.reading.text_decoding import decode_text

_RTF = b"{\\rtf"
#: Content types of web pages, and of archives of one page (MHTML), which programs that make Word files of pages embed.
_WEB = ("text/html", "application/xhtml")
_ARCHIVE = ("message/rfc822", "multipart/related")
_MARK_BYTES = 512


def chunk_blocks(data: bytes, content_type: str) -> list[str] | None:
    """Blocks of Markdown of an embedded file, or None if it is of a kind that is not read.

    Parameters
    ----------
    data
        Its bytes, which are no archive.
    content_type
        What the package calls it.
    """
    if data.startswith(_RTF):
        return None
    if content_type.startswith(_ARCHIVE):
        return _archived(data)
    if content_type.startswith(_WEB) or data[:_MARK_BYTES].lstrip()[:1] == b"<":
        return _page(data)
    text = decode_text(data)
    if text is None:
        return None
    return [markup.paragraph(line) for line in text.splitlines() if line.strip()]


def _page(data: bytes) -> list[str] | None:
    try:
        return page_blocks(data)
    except FileRefused:
        return None


def _archived(data: bytes) -> list[str] | None:
    """Blocks of the first page in an archive."""
    message: Message = email.message_from_bytes(data, policy=email.policy.compat32)
    for part in message.walk():
        if part.get_content_type() in {"text/html", "application/xhtml+xml"}:
            body = part.get_payload(decode=True)
            return _page(body) if isinstance(body, bytes) else None
    return None
