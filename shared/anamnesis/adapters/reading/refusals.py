"""Every refusal of a file, with what the student can do about it."""

from __future__ import annotations

from anamnesis.domain.errors import FileRefused
from anamnesis.domain.files import RefusalReason


def refused(reason: RefusalReason, detail: str) -> FileRefused:
    """Return a refusal, to be raised."""
    return FileRefused(reason.value, detail)


def encrypted_pdf() -> FileRefused:
    """A PDF that opens with a password only."""
    return refused(
        RefusalReason.ENCRYPTED,
        "This PDF is locked with a password. Save a copy without the password and upload that.",
    )


def encrypted_office() -> FileRefused:
    """An Office file that opens with a password only."""
    return refused(
        RefusalReason.ENCRYPTED,
        "This Office file is locked with a password. Save a copy without the password and upload that.",
    )


def malformed_pdf() -> FileRefused:
    """A PDF that no engine opens."""
    return refused(
        RefusalReason.MALFORMED,
        "This PDF is damaged and cannot be read. Open it, save it as a new PDF, and upload that.",
    )


def malformed_office() -> FileRefused:
    """An Office file that cannot be unpacked or whose parts are broken."""
    return refused(
        RefusalReason.MALFORMED,
        "This Office file is damaged or incomplete and cannot be read. Open it, save it under a new name, and upload "
        "that.",
    )


def malformed_web_page() -> FileRefused:
    """A web page that cannot be parsed within its bounds."""
    return refused(
        RefusalReason.MALFORMED,
        "This web page cannot be read. Open it in a browser, print it as a PDF, and upload that.",
    )


def too_large() -> FileRefused:
    """A file of any kind that holds more than one file may."""
    return refused(
        RefusalReason.TOO_LARGE,
        "This file holds more text or pages than one file may. Split it and upload the parts.",
    )


def takes_too_long() -> FileRefused:
    """A file on which the time was up."""
    return refused(
        RefusalReason.TOO_LARGE,
        "Reading this file takes too long: it holds too much, or is built in a very involved way. Split it, or save "
        "its text in another format, and upload that.",
    )


def empty() -> FileRefused:
    """A file with nothing in it."""
    return refused(RefusalReason.EMPTY, "This file is empty. Check that the right file was chosen.")


def without_text(what: str) -> FileRefused:
    """An Office file or web page that has no text, nor pictures that could hold any.

    Parameters
    ----------
    what
        "document", "presentation" or "web page".
    """
    return refused(
        RefusalReason.EMPTY, f"This {what} holds no text to read. Check that the right file was chosen."
    )


def page_of_frames() -> FileRefused:
    """A web page that only shows other pages in frames."""
    return refused(
        RefusalReason.UNSUPPORTED_TYPE,
        "This web page only shows other pages inside it (frames), and these were not saved with it. Open the page "
        "inside by itself, save that, or print it as a PDF, and upload it.",
    )


def page_of_scripts() -> FileRefused:
    """A web page that is empty until a browser runs its scripts."""
    return refused(
        RefusalReason.UNSUPPORTED_TYPE,
        "This web page is empty until a browser fills it. Open it in a browser, wait until the text is there, print it "
        "as a PDF, and upload that.",
    )


def embedded_document() -> FileRefused:
    """A Word file that holds nothing but another file, of a kind that is not read."""
    return refused(
        RefusalReason.UNSUPPORTED_TYPE,
        "This document only holds another file inside it, which Word takes in when it opens it. Open it in Word, save "
        "it under a new name as .docx, and upload that.",
    )


def pictures_only(what: str) -> FileRefused:
    """A file whose pages are pictures.

    Parameters
    ----------
    what
        "PDF", "document" or "presentation".
    """
    return refused(
        RefusalReason.NO_TEXT_LAYER,
        f"This {what} holds pictures of pages and no text. Run text recognition (OCR) on it, or export it from the "
        "program it was written in, and upload the result.",
    )


def blank_pdf() -> FileRefused:
    """A PDF on whose pages nothing is written or drawn."""
    return refused(
        RefusalReason.EMPTY,
        "The pages of this PDF are blank. Check that the right file was chosen, or export it again from the program it "
        "was written in.",
    )


def dynamic_form() -> FileRefused:
    """A PDF form that its reader is to build (XFA), of which other programs see a sheet that says so."""
    return refused(
        RefusalReason.UNSUPPORTED_TYPE,
        "This PDF is a form that only Adobe Acrobat and Adobe Reader can draw (XFA). Open it there, print it as a new "
        "PDF, and upload that.",
    )


def portfolio() -> FileRefused:
    """A PDF that is a wrapper of other files."""
    return refused(
        RefusalReason.UNSUPPORTED_TYPE,
        "This PDF is a portfolio: its files are attached to it. Open it in Adobe Reader, save the files in it, and "
        "upload them one by one.",
    )


def garbled() -> FileRefused:
    """A file whose stored letters are not those that it shows."""
    return refused(
        RefusalReason.GARBLED_TEXT,
        "The letters stored in this file are not the letters it shows. Export it again from the program it was written "
        "in, or run text recognition (OCR) on it, and upload the result.",
    )


def garbled_text() -> FileRefused:
    """A text file whose letters were lost or changed before it was uploaded."""
    return refused(
        RefusalReason.GARBLED_TEXT,
        "The letters in this text are not those that were written: it was saved in the wrong encoding or font. Open "
        "the original, save it as UTF-8, and upload that.",
    )


def unknown_encoding() -> FileRefused:
    """Text in no encoding that makes a language of it."""
    return refused(
        RefusalReason.GARBLED_TEXT,
        "This text is stored in a way that cannot be told. Save it as UTF-8 and upload it again.",
    )


def unsupported(kind: str, advice: str = "") -> FileRefused:
    """A file of a kind that is not read.

    Parameters
    ----------
    kind
        What it is, with its article.
    advice
        What to do; the default names the kinds that are read.
    """
    advice = advice or "Upload it as a PDF, Word, PowerPoint, HTML, Markdown or plain text file."
    return refused(RefusalReason.UNSUPPORTED_TYPE, f"This file is {kind}, whatever its name says. {advice}")


def data_file(kind: str) -> FileRefused:
    """A file of values or statements, which explains nothing by itself.

    Parameters
    ----------
    kind
        "a program's source code", "data in JSON".
    """
    return refused(
        RefusalReason.UNSUPPORTED_TYPE,
        f"This file is {kind}, which explains nothing by itself. Put what is to be learnt from it into a text, such as "
        "a Markdown file or a Word document, and upload that.",
    )


def malformed_notebook() -> FileRefused:
    """A notebook that is cut off or broken."""
    return refused(
        RefusalReason.MALFORMED,
        "This notebook is damaged or incomplete and cannot be read. Open it, save it again, and upload that.",
    )


def notebook_without_text() -> FileRefused:
    """A notebook of code alone."""
    return refused(
        RefusalReason.EMPTY,
        "This notebook holds code and no text. Explain it in text cells between the code and upload it again.",
    )
