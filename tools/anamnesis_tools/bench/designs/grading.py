"""The grader that needs no model: is what an answer must rest on in the prompt? By ids, pages and words (EV-3)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.text.terms import index_terms, question_words
from anamnesis_tools.bench.designs.prompts import Prompt
from anamnesis_tools.bench.designs.questions import Item, Question
from anamnesis_tools.bench.designs.recording import Recorded

#: What a prompt must say of an empty time: the words that the block's wording promises.
NO_RECORD = "no record"
_SENTENCE = regex.compile(r"(?<=[.!?।؟:;])\s+|\n")


def passes(question: Question, prompt: Prompt, recorded: Recorded) -> bool:
    """Tell whether a prompt holds what the question's answer must rest on."""
    if question.nothing:
        return NO_RECORD in folded(prompt.text) and not prompt.episode_ids
    held = sum(_shown(item, question, prompt, recorded) for item in question.items)
    return held >= question.needed


def _shown(item: Item, question: Question, prompt: Prompt, recorded: Recorded) -> bool:
    if any(recorded.episodes[number].id in prompt.episode_ids for number in item.events):
        return True
    if any((passage.file, passage.page) in item.pages for passage in prompt.passages):
        return True
    if any(stands_in(phrase, prompt.text) for phrase in item.phrases):
        return True
    return any(is_named(name, prompt.text, question.language) for name in item.names)


def stands_in(phrase: str, text: str) -> bool:
    """Tell whether a phrase stands in `text` as it is, but for case and spacing."""
    wanted = regex.escape(folded(phrase))
    return regex.search(rf"(?<![\p{{L}}\p{{M}}]){wanted}(?![\p{{L}}\p{{M}}])", folded(text)) is not None


def is_named(name: str, text: str, language: str) -> bool:
    """Tell whether `text` names a thing: as it stands, or with all its words, however inflected, in one sentence."""
    if stands_in(name, text):
        return True
    words = question_words(name, language)
    if not words:
        return False
    return any(
        all(sum(any(t in held for t in unit) for unit in word.units) >= max(1, word.needed) for word in words)
        for held in _sentences(text)
    )


@lru_cache(maxsize=64)
def _sentences(text: str) -> tuple[frozenset[str], ...]:
    """Return the index terms of each sentence."""
    sentences = (part for part in _SENTENCE.split(text) if part and part.strip())
    return tuple(frozenset(index_terms(part, detect_language(part))) for part in sentences)


@lru_cache(maxsize=256)
def folded(text: str) -> str:
    """Return a text in one spelling, case and spacing."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
