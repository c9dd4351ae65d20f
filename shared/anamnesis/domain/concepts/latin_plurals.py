"""Plural and singular of a Latin word whose language is not known: what is safe in all languages of the script."""

from __future__ import annotations

from typing import Final

# fmt: off
#: Words whose last s is no plural: without it they are another word, or none.
_SINGULAR_S: Final = (
    "alias", "atlas", "bias", "canvas", "christmas", "pancreas", "texas", "biceps", "triceps", "forceps",
    "chaos", "cosmos", "ethos", "logos", "pathos", "eros", "lens", "species", "series", "diabetes", "rabies",
    "herpes", "news", "thermos", "asbestos", "rhinoceros", "mars", "means", "corps", "kurs", "cours", "fils",
    "vers", "sens", "temps", "pays", "bras", "poids", "fels", "puls",
)
#: The -ics words that are plain plurals.
_ICS_PLURALS: Final = frozenset((
    "topics", "metrics", "characteristics", "plastics", "ceramics", "critics", "antibiotics", "fabrics",
    "clinics", "comics", "relics", "epics",
))
# fmt: on

#: Forms that no ending rule reaches. Each maps to a form that maps to itself: the one more often used as a
#: concept's name ("mitochondria", not "mitochondrion").
_IRREGULAR: Final[dict[str, str]] = dict(zip(_SINGULAR_S, _SINGULAR_S, strict=True)) | {
    "aliases": "alias",
    "analyses": "analysis",
    "antennae": "antenna",
    "apices": "apex",
    "appendices": "appendix",
    "axes": "axis",
    "bacilli": "bacillus",
    "bacterium": "bacteria",
    "biases": "bias",
    "buses": "bus",
    "cacti": "cactus",
    "children": "child",
    "cilium": "cilia",
    "cortices": "cortex",
    "crises": "crisis",
    "criterion": "criteria",
    "datum": "data",
    "diagnoses": "diagnosis",
    "feet": "foot",
    "flagella": "flagellum",
    "formulae": "formula",
    "foci": "focus",
    "fungi": "fungus",
    "gases": "gas",
    "genera": "genus",
    "halves": "half",
    "helices": "helix",
    "hyphae": "hypha",
    "indice": "index",
    "indices": "index",
    "larvae": "larva",
    "leaves": "leaf",
    "lenses": "lens",
    "loci": "locus",
    "matrices": "matrix",
    "matriz": "matrix",
    "maxima": "maximum",
    "mice": "mouse",
    "minima": "minimum",
    "mitochondrion": "mitochondria",
    "nebulae": "nebula",
    "neuroses": "neurosis",
    "nuclei": "nucleus",
    "nucleoli": "nucleolus",
    "ova": "ovum",
    "phenomena": "phenomenon",
    "prognoses": "prognosis",
    "psychoses": "psychosis",
    "quanta": "quantum",
    "quizzes": "quiz",
    "radii": "radius",
    "raices": "raiz",
    "serie": "series",
    "shelves": "shelf",
    "spectra": "spectrum",
    "stimuli": "stimulus",
    "strata": "stratum",
    "symbioses": "symbiosis",
    "teeth": "tooth",
    "vertebrae": "vertebra",
    "vertice": "vertex",
    "vertices": "vertex",
    "viruses": "virus",
    "vortices": "vortex",
    "wolves": "wolf",
}

#: Plural endings and their singular, tried longest first; -ie and -ies meet at -y (calorie, theories).
_ENDINGS: Final = (
    ("theses", "thesis"),
    ("ciones", "cion"),
    ("siones", "sion"),
    ("trones", "tron"),
    ("ulares", "ular"),
    ("dades", "dad"),
    ("dade", "dad"),
    ("yses", "ysis"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("eaux", "eau"),
    ("coes", "cao"),
    ("soes", "sao"),
    ("xes", "x"),
    ("ies", "y"),
    ("aux", "al"),
    ("oes", "o"),
    ("ie", "y"),
)
_NO_PLURAL: Final = ("ss", "us", "is", "ics")
#: Polish nouns of doing, beside which the same word in -y is who or what it is done to: "badanie" is a study, "badany"
#: its subject. French words in -anie and -enie (schizophrénie) keep theirs for it, and meet their plural by language.
_NO_SINGULAR_Y: Final = ("anie", "enie")


def singular(word: str) -> str:
    """Return the one form of an unmarked Latin word that its plural shares; short words stay.

    The singular of a singular is itself.
    """
    if len(word) < 4:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith(_NO_SINGULAR_Y):
        return word
    for ending, replaced in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + replaced
    if word.endswith("s") and (word in _ICS_PLURALS or not word.endswith(_NO_PLURAL)):
        return word[:-1]
    return word
