"""The grader of answers: the caller's model answers each prompt, and its words are held against the record (EV-3).

Any endpoint that speaks OpenAI's chat completions, or a model on Bedrock. Every design is given the same instruction:
to answer as JSON, so that what it claims can be compared by strings and no second model judges.
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from anamnesis.domain.text.languages import detect_language
from anamnesis.domain.text.terms import index_terms, question_words
from anamnesis_tools.bench.designs.grading import is_named
from anamnesis_tools.bench.designs.prompts import Prompt
from anamnesis_tools.bench.designs.questions import Question

INSTRUCTION = (
    'Reply with one JSON object and nothing else: {"answer": your answer to the student, "names": a list of the '
    'topics, concepts and names that it rests on, "record": false if you have no record of the time asked about and '
    'true if you have, null if no time was asked about, "understands": whether the student understands the topic '
    "asked about, null if that was not asked or you cannot tell}."
)
MAX_TOKENS = 900
TIMEOUT_SECONDS = 120.0
#: A thing named by more words than this is said when half of them are.
_NAME_WORDS = 3
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)

#: Answers a prompt in words.
Answerer = Callable[[str], str]


class AnswererFailed(Exception):
    """The endpoint gave no answer; says why, and nothing of the prompt."""


@dataclass(frozen=True, slots=True)
class OpenAiAnswerer:
    """Asks an endpoint of OpenAI's chat completions.

    Attributes
    ----------
    url
        Up to and without ``/chat/completions``.
    key
        Sent as a bearer token when there is one.
    """

    url: str
    model: str
    key: str = ""

    def __call__(self, prompt: str) -> str:
        """Return the model's words.

        Raises
        ------
        AnswererFailed
            If the endpoint cannot be reached, refuses, or answers in another form.
        """
        body = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": MAX_TOKENS,
        }
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(  # noqa: S310 the caller's own address
            f"{self.url.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as reply:  # noqa: S310 as above
                told: Any = json.load(reply)
            return str(told["choices"][0]["message"]["content"] or "")
        except (urllib.error.URLError, TimeoutError) as error:
            raise AnswererFailed(str(getattr(error, "reason", error))) from error
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise AnswererFailed("the reply is no chat completion") from error


@dataclass(frozen=True, slots=True)
class BedrockAnswerer:
    """Asks a model on Bedrock through a client of ``bedrock-runtime``."""

    client: Any
    model: str

    def __call__(self, prompt: str) -> str:
        """Return the model's words; the SDK's errors pass."""
        reply = self.client.converse(
            modelId=self.model,
            messages=[{"role": "user", "content": [{"text": prompt}]}],
            inferenceConfig={"temperature": 0, "maxTokens": MAX_TOKENS},
        )
        return "".join(part.get("text", "") for part in reply["output"]["message"]["content"])


def grader(answerer: Answerer) -> Callable[[Question, Prompt], bool]:
    """Return what asks a prompt's question and tells whether the answer says what the record holds."""

    def grade(question: Question, prompt: Prompt) -> bool:
        return answer_passes(question, answerer(f"{prompt.whole}\n\n{INSTRUCTION}"))

    return grade


def answer_passes(question: Question, reply: str) -> bool:
    """Tell whether a reply says what the question's answer must say; one that is no JSON object counts as words."""
    told = _told(reply)
    if question.nothing:
        return told.get("record") is False
    if question.understood is not None:
        return told.get("understands") is question.understood
    names = told.get("names")
    listed = [str(name) for name in names] if isinstance(names, list) else []
    text = "\n".join([str(told.get("answer", "")), *listed])
    said = sum(
        any(_says(text, spoken, question.language) for spoken in item.spoken) for item in question.items
    )
    return said >= question.needed


def _told(reply: str) -> Mapping[str, Any]:
    found = _OBJECT.search(reply)
    try:
        told = json.loads(found.group()) if found else None
    except ValueError:
        told = None
    return told if isinstance(told, dict) else {"answer": reply}


def _says(text: str, spoken: str, language: str) -> bool:
    words = question_words(spoken, language)
    if len(words) <= _NAME_WORDS:
        return is_named(spoken, text, language)
    held = frozenset(index_terms(text, detect_language(text)))
    said = sum(any(term in held for unit in word.units for term in unit) for word in words)
    return 2 * said >= len(words)
