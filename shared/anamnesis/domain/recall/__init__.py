"""Associative recall over a pair's whole history (RC-1 … RC-7)."""

from anamnesis.domain.recall.ranking import recall
from anamnesis.domain.recall.values import (
    FITTED,
    HANDSET,
    WEIGHTS,
    Layer,
    Pool,
    Recalled,
    RecallQuery,
    Recollection,
    Weights,
)
from anamnesis.domain.text.terms import QuestionWord, question_words

__all__ = [
    "FITTED",
    "HANDSET",
    "WEIGHTS",
    "Layer",
    "Pool",
    "QuestionWord",
    "RecallQuery",
    "Recalled",
    "Recollection",
    "Weights",
    "question_words",
    "recall",
]
