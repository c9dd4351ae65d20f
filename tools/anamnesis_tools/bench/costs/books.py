"""Course files made up for measurements: glossaries, and books of hundreds of pages in several languages and formats.

Nothing is copied: terms are every noun with every adjective, definitions and the sentences between them come from a few
frames. That is poor prose and a fair load: as many sentences, headings, terms and mentions as a textbook has.
"""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from itertools import product

#: Makes a book of so many pages in a language.
Made = Callable[[str, int], bytes]
SEED = 20261130
#: Sentences of a page, and new terms of a chapter of ten pages.
SENTENCES_A_PAGE = 26
TERMS_A_CHAPTER = 8
PAGES_A_CHAPTER = 10
_OFFICE = "http://schemas.openxmlformats.org"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


@dataclass(frozen=True, slots=True)
class Language:
    """Words and frames; `{t}` is the term, `{u}` and `{w}` are terms from before, `{n}` is a plain noun."""

    chapter: str
    nouns: tuple[str, ...]
    adjectives: tuple[str, ...]
    adjective_first: bool
    definitions: tuple[str, ...]
    sentences: tuple[str, ...]

    def terms(self) -> list[str]:
        """Every noun with every adjective, in an order that is the same every time."""
        pairs = list(product(self.nouns, self.adjectives))
        random.Random(SEED).shuffle(pairs)  # noqa: S311 the same every time
        return [f"{a} {n}" if self.adjective_first else f"{n} {a}" for n, a in pairs]


# fmt: off
LANGUAGES = {
    "en": Language(
        "Chapter",
        ("membrane", "current", "lattice", "vessel", "signal", "reaction", "market", "orbit", "tissue", "engine",
         "grammar", "treaty", "glacier", "pigment", "circuit", "harvest", "enzyme", "spectrum", "polymer", "valley",
         "sediment", "theorem", "antibody", "ledger", "turbine", "mineral", "neuron", "tariff", "isotope", "canal"),
        ("radial", "thermal", "coastal", "latent", "binary", "fiscal", "lunar", "acidic", "neural", "rural", "elastic",
         "marine", "dorsal", "cyclic", "static", "urban", "linear", "solar", "viral", "tonal", "hybrid", "optical",
         "modal", "inert", "porous", "mutual", "silent", "tidal", "woven", "primal", "oblique", "arid", "ionic",
         "civic"),
        True,
        ("**{t}** is the part of a {n} that holds the {u} in place.",
         "A **{t}** is a {n} in which the {u} and the {w} act on each other.",
         "**{t}** means that a {n} keeps its shape although the {u} changes.",
         "The **{t}** is what a {n} becomes when the {u} has gone from it."),
        ("In many countries people had seen this long before anyone measured it.",
         "The {u} rises as long as the {w} falls, and nobody in the field doubts it today.",
         "Compare the {n} of last year with what the {u} shows in the second table.",
         "When the {w} is removed, the {n} takes about twelve days to recover.",
         "Several teams repeated the work with a smaller {n} and found the same {u}.",
         "It follows that the {u} cannot be larger than the {w} from which it came.",
         "Older books describe the {n} in another way, which has led to confusion.",
         "What matters here is how quickly the {u} reaches the rest of the {n}."),
    ),
    "es": Language(
        "Capítulo",
        ("membrana", "corriente", "señal", "reacción", "órbita", "gramática", "cosecha", "enzima", "turbina", "neurona",
         "fuerza", "célula", "ecuación", "alianza", "moneda", "roca", "hormona", "capa", "onda", "matriz", "frontera",
         "presión", "norma", "cuenca", "fibra", "semilla", "palanca", "muestra", "deuda", "lengua"),
        ("radial", "térmica", "costera", "latente", "binaria", "fiscal", "lunar", "ácida", "neural", "rural",
         "elástica", "marina", "dorsal", "cíclica", "estática", "urbana", "lineal", "solar", "viral", "tonal",
         "híbrida", "óptica", "modal", "inerte", "porosa", "mutua", "oblicua", "árida", "iónica", "cívica"),
        False,
        ("La **{t}** es la parte de una {n} que mantiene la {u} en su lugar.",
         "Se llama **{t}** a una {n} en la que la {u} y la {w} actúan juntas.",
         "La **{t}** es lo que queda de una {n} cuando la {u} ha desaparecido."),
        ("En muchos países la gente lo había visto mucho antes de que alguien lo midiera.",
         "La {u} sube mientras la {w} baja, y hoy nadie lo discute.",
         "Compárese la {n} del año pasado con lo que muestra la {u} en la segunda tabla.",
         "Cuando se retira la {w}, la {n} tarda unos doce días en recuperarse.",
         "Varios equipos repitieron el trabajo con una {n} menor y hallaron la misma {u}.",
         "De ahí que la {u} no pueda ser mayor que la {w} de la que procede."),
    ),
    "pl": Language(
        "Rozdział",
        ("błona", "reakcja", "orbita", "tkanka", "gramatyka", "fala", "komórka", "turbina", "siła", "moneda", "skała",
         "warstwa", "macierz", "granica", "norma", "próbka", "dźwignia", "gleba", "umowa", "struktura", "energia",
         "funkcja", "metoda", "miara", "sieć", "liczba", "barwa", "cząstka", "rzeka", "tarcza"),
        ("promienista", "cieplna", "przybrzeżna", "ukryta", "dwójkowa", "skarbowa", "księżycowa", "kwaśna", "nerwowa",
         "wiejska", "sprężysta", "morska", "grzbietowa", "okresowa", "stała", "miejska", "liniowa", "słoneczna",
         "tonalna", "mieszana", "optyczna", "bierna", "porowata", "wzajemna", "ukośna", "sucha", "jonowa", "obca"),
        False,
        ("**{t}** to część, którą {n} utrzymuje, gdy {u} się zmienia.",
         "**{t}** jest to {n}, w której {u} i {w} działają na siebie.",
         "**{t}** to {n}, z której zniknęła {u}."),
        ("W wielu krajach ludzie widzieli to na długo przed pierwszym pomiarem.",
         "{u} rośnie tak długo, jak maleje {w}, i nikt dziś w to nie wątpi.",
         "Gdy zabraknie tego, co daje {w}, {n} wraca do siebie po dwunastu dniach.",
         "Kilka zespołów powtórzyło tę pracę i {u} wyszła taka sama.",
         "Wynika z tego, że {u} nie może być większa niż {w}, z której powstała."),
    ),
}
# fmt: on


def glossary(language: str, number: int, *, terms: int, step: int) -> str:
    """A chapter of so many definitions as Markdown; the next number shares all but `step` of its terms with it."""
    words = LANGUAGES[language]
    chance = random.Random(f"{SEED} {language} {number}")  # noqa: S311 the same every time
    names = words.terms()
    here = [names[(number * step + place) % len(names)] for place in range(terms)]
    lines = [f"# {words.chapter} {number + 1}"]
    for place, term in enumerate(here):
        before = here[max(0, place - 4) : place] or [here[0]]
        lines.append(_filled(chance.choice(words.definitions), words, chance, term, before))
        lines.append(_filled(chance.choice(words.sentences), words, chance, term, before))
    return "\n\n".join(lines) + "\n"


def book(language: str, pages: int) -> Iterator[tuple[str | None, list[str]]]:
    """Pages of a book: a heading where a chapter begins, and paragraphs with new terms in two asterisks."""
    words = LANGUAGES[language]
    chance = random.Random(f"{SEED} {language}")  # noqa: S311 the same every time
    names = iter(words.terms() * 4)
    known = [next(names), next(names)]
    for page in range(pages):
        chapter, place = divmod(page, PAGES_A_CHAPTER)
        sentences = [
            _filled(chance.choice(words.sentences), words, chance, known[-1], known[-24:])
            for _ in range(SENTENCES_A_PAGE)
        ]
        if place < TERMS_A_CHAPTER:
            term = next(names)
            sentences[chance.randrange(len(sentences))] = _filled(
                chance.choice(words.definitions), words, chance, term, known[-24:]
            )
            known.append(term)
        paragraphs = [" ".join(sentences[start : start + 6]) for start in range(0, len(sentences), 6)]
        yield (None if place else f"{words.chapter} {chapter + 1}: {known[-1]}"), paragraphs


def markdown(language: str, pages: int) -> bytes:
    """A book as Markdown."""
    parts = []
    for heading, paragraphs in book(language, pages):
        parts += [f"# {heading}"] * bool(heading) + paragraphs
    return "\n\n".join(parts).encode()


def word(language: str, pages: int) -> bytes:
    """A book as DOCX with page breaks, headings by style and terms in bold."""
    body = []
    for heading, paragraphs in book(language, pages):
        if heading:
            style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
            body.append(f"<w:p>{style}<w:r><w:t>{escape(heading)}</w:t></w:r></w:p>")
        body += [f"<w:p>{''.join(_runs(paragraph))}</w:p>" for paragraph in paragraphs]
        body.append('<w:p><w:r><w:br w:type="page"/></w:r></w:p>')
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_OFFICE}/package/2006/content-types">'
            f'<Override PartName="/word/document.xml" ContentType="{_WORD}"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_OFFICE}/package/2006/relationships"><Relationship Id="r1" '
            f'Type="{_OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
            "</Relationships>",
        )
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{_OFFICE}/wordprocessingml/2006/main"><w:body>{"".join(body)}</w:body></w:document>',
        )
    return out.getvalue()


def pdf(language: str, pages: int) -> bytes:
    """A book as PDF of Helvetica in Windows' Latin letters; lines are broken at 90 characters."""
    contents = []
    for number, (heading, paragraphs) in enumerate(book(language, pages), start=1):
        lines = [heading or ""] * bool(heading) + [
            line for paragraph in paragraphs for line in _broken(paragraph.replace("**", ""))
        ]
        shown = " ".join(f"({_in_pdf(line)}) Tj 0 -15 Td" for line in lines)
        contents.append(f"BT /F1 11 Tf 50 800 Td {shown} ET BT /F1 9 Tf 300 20 Td ({number}) Tj ET")
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(len(contents)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for place, content in enumerate(contents):
        fonts = "/Resources << /Font << /F1 3 0 R >> >>"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {fonts} /Contents {5 + 2 * place} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def _filled(frame: str, words: Language, chance: random.Random, term: str, before: Sequence[str]) -> str:
    sentence = frame.format(
        t=term, u=chance.choice(before), w=chance.choice(before), n=chance.choice(words.nouns)
    )
    return sentence[0].upper() + sentence[1:]


def _runs(paragraph: str) -> Iterator[str]:
    for place, text in enumerate(paragraph.split("**")):
        bold = "<w:rPr><w:b/></w:rPr>" if place % 2 else ""
        yield f'<w:r>{bold}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def _broken(text: str, width: int = 90) -> Iterator[str]:
    line = ""
    for piece in text.split():
        if line and len(line) + 1 + len(piece) > width:
            yield line
            line = piece
        else:
            line = f"{line} {piece}".strip()
    yield line


def _in_pdf(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
