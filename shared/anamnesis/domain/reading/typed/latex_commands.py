"""What the commonest commands and environments of LaTeX are to a reader."""

from __future__ import annotations

HEADINGS = {
    "part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6,
    "title": 1, "frametitle": 2,
}  # fmt: skip
#: Commands whose arguments are no text: how many of them there are.
SILENT = {
    "label": 1, "ref": 1, "eqref": 1, "pageref": 1, "autoref": 1, "cref": 1, "Cref": 1, "cite": 1, "citep": 1,
    "citet": 1, "parencite": 1, "textcite": 1, "autocite": 1, "nocite": 1, "input": 1, "include": 1,
    "includegraphics": 1,
    "usepackage": 1, "bibliography": 1, "bibliographystyle": 1, "vspace": 1, "hspace": 1, "index": 1, "pagestyle": 1,
    "thispagestyle": 1, "setcounter": 2, "addtocounter": 2, "setlength": 2, "newcommand": 2, "renewcommand": 2,
    "providecommand": 2, "newtheorem": 2, "definecolor": 3, "color": 1, "textcolor": 1, "colorbox": 1, "href": 1,
    "addcontentsline": 3, "documentclass": 1, "graphicspath": 1, "hypersetup": 1, "geometry": 1, "rule": 2,
    "fontsize": 2, "selectlanguage": 1, "foreignlanguage": 1, "author": 1, "date": 1, "thanks": 1, "cline": 1,
    "multicolumn": 2, "url": 0, "bibitem": 1, "newenvironment": 3, "DeclareMathOperator": 2, "scalebox": 1,
    "resizebox": 2, "parbox": 1, "includeonly": 1, "theoremstyle": 1, "tikzset": 1, "usetikzlibrary": 1,
}  # fmt: skip
TERMS = frozenset({"textbf", "defn", "define", "term", "keyword"})
MATHEMATICS = frozenset(
    {"equation", "align", "gather", "multline", "eqnarray", "math", "displaymath", "alignat", "flalign"}
)
DRAWINGS = frozenset(
    {"tikzpicture", "thebibliography", "pspicture", "picture", "filecontents", "tikzcd", "comment"}
)
#: What is read as it stands.
VERBATIM = frozenset({"verbatim", "Verbatim", "lstlisting", "minted"})
TABLES = frozenset({"tabular", "tabularx", "longtable", "tabular*", "tabulary"})
LISTS = frozenset({"itemize", "enumerate", "description"})
#: Environments that name what they hold; the name stands before it.
DEFINITIONS = frozenset({"definition", "defn", "dfn", "defi"})
STATEMENTS = frozenset(
    {"theorem", "lemma", "proposition", "corollary", "example", "remark", "proof", "exercise", "axiom", "claim", "thm",
     "lem", "prop", "cor", "note"}
)  # fmt: skip
SIGNS = {
    "ldots": "…", "dots": "…", "textendash": "–", "textemdash": "—", "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ",
    "S": "§", "textasciitilde": "~", "textbackslash": "\\", "LaTeX": "LaTeX", "TeX": "TeX", "quad": " ",
    "qquad": " ", "and": " ",
    "newline": " ", "par": "\n\n", "textbar": "|", "textless": "<", "textgreater": ">", "guillemotleft": "«",
    "guillemotright": "»", "euro": "€", "texteuro": "€", "pounds": "£", "copyright": "©", "degree": "°", "up": "",
}  # fmt: skip
#: Accents by the sign or letter of their command, as marks that combine.
ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
