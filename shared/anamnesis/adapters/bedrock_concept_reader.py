"""The concept reader on Bedrock Converse with a forced tool (``ports.ConceptReader``; CM-1, SV-13).

The file's text is data: it stands between fences that it cannot contain, the model can only answer by calling one tool,
and whatever comes back passes pydantic and the same validator as every reader's answer. A refused answer is shown to
the model once.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from anamnesis.adapters.aws_errors import error_code
from anamnesis.adapters.bedrock_prompt import SYSTEM, TOOL_NAME, correction, prompt, tool_configuration
from anamnesis.domain.concepts import MAX_CONCEPTS_PER_FILE, ExtractedConcept, Extraction, Rejection
from anamnesis.domain.concepts.canonical_keys import canonical_key
from anamnesis.domain.concepts.validation import RejectionReason, validate
from anamnesis.domain.errors import ModelUnavailable
from anamnesis.domain.extraction import document_language
from anamnesis.domain.files import Document, Page

logger = logging.getLogger(__name__)

#: Characters of one part: some 20,000 tokens of Latin text, some 80,000 of Chinese; both fit a 128k context.
PART_CHARS = 80_000
#: How far a part reaches back into the one before, so that an explanation across the cut is seen whole once.
OVERLAP_CHARS = 2_000
#: Longest answer: sixty concepts of some 130 tokens.
MAX_ANSWER_TOKENS = 8_000
#: Concepts of one answer that are looked at; what a model gone astray adds is dropped unread.
_MOST_LOOKED_AT = 4 * MAX_CONCEPTS_PER_FILE


class _Concept(BaseModel):
    """One concept as the tool's schema asks for it."""

    model_config = ConfigDict(strict=True)

    name: str
    gist: str
    definition: str = ""
    builds_on: list[str] = Field(default_factory=list)
    assumed: list[str] = Field(default_factory=list)
    pages: list[int]

    def extracted(self) -> ExtractedConcept:
        """Return the domain's value, unvalidated."""
        return ExtractedConcept(
            name=self.name,
            gist=self.gist,
            definition=self.definition,
            builds_on=tuple(self.builds_on),
            assumed=tuple(self.assumed),
            pages=tuple(self.pages),
        )


class _Answer(BaseModel):
    """The tool's input; each concept is validated on its own, so that one bad one does not spoil the rest."""

    concepts: list[Any]


class BedrockConceptReader:
    """Asks a model on Bedrock for the concepts a document explains.

    Parameters
    ----------
    client
        A boto3 client of ``bedrock-runtime``.
    model_id
        Model or inference profile that supports tool use in Converse.
    part_chars, overlap_chars
        Size of the parts that a long file is read in, and their overlap, in characters.
    on_tokens
        Told the input and output tokens of every call, for a metric.
    """

    def __init__(
        self,
        client: Any,
        model_id: str,
        *,
        part_chars: int = PART_CHARS,
        overlap_chars: int = OVERLAP_CHARS,
        on_tokens: Callable[[int, int], None] | None = None,
    ) -> None:
        self._client = client
        self._model_id = model_id
        self._part_chars = part_chars
        self._overlap_chars = overlap_chars
        self._on_tokens = on_tokens

    @property
    def name(self) -> str:
        """Name and version, kept with what it read."""
        return f"bedrock-1:{self._model_id}"

    def read(self, document: Document, *, file_name: str) -> Extraction:
        """At most ``MAX_CONCEPTS_PER_FILE`` validated concepts.

        Raises
        ------
        ModelUnavailable
            If the model throttles, times out, fails, or answers outside its schema twice.
        """
        found: list[list[ExtractedConcept]] = []
        rejected: list[Rejection] = []
        for part in parts(document.pages, part_chars=self._part_chars, overlap_chars=self._overlap_chars):
            kept, refused = self._read_part(part, file_name, len(document.pages))
            found.append(kept)
            rejected += refused
        concepts, refused = validate(merged(found), page_count=len(document.pages))
        language = document_language(document.pages)
        return Extraction(language, self.name, tuple(concepts), tuple(rejected + refused))

    def _read_part(
        self, part: Sequence[Page], file_name: str, page_count: int
    ) -> tuple[list[ExtractedConcept], list[Rejection]]:
        messages: list[dict[str, Any]] = [{"role": "user", "content": [{"text": prompt(part, file_name)}]}]
        answer = self._converse(messages, page_count)
        first = _understood(answer, page_count)
        if first is not None and not first[1]:
            return first
        messages += [answer, correction(answer, first[1] if first else None)]
        second = _understood(self._converse(messages, page_count), page_count)
        usable = [understood for understood in (second, first) if understood is not None]
        if not usable:
            raise ModelUnavailable("the model answered outside its schema twice")
        # The corrected answer, unless the correction cost more than it mended.
        return max(usable, key=lambda understood: len(understood[0]))

    def _converse(self, messages: Sequence[Mapping[str, Any]], page_count: int) -> dict[str, Any]:
        try:
            response = self._client.converse(
                modelId=self._model_id,
                system=[{"text": SYSTEM}],
                messages=list(messages),
                inferenceConfig={"temperature": 0.0, "maxTokens": MAX_ANSWER_TOKENS},
                toolConfig=tool_configuration(page_count),
            )
        except (BotoCoreError, ClientError) as error:
            # Not chained: the SDK's message may quote the prompt.
            raise ModelUnavailable(f"Bedrock: {error_code(error)}") from None
        usage = response.get("usage", {})
        tokens_in, tokens_out = int(usage.get("inputTokens", 0)), int(usage.get("outputTokens", 0))
        logger.info("concept reader call", extra={"input_tokens": tokens_in, "output_tokens": tokens_out})
        if self._on_tokens:
            self._on_tokens(tokens_in, tokens_out)
        message = response.get("output", {}).get("message", {})
        # Converse refuses an empty assistant turn when it is sent back.
        return {"role": "assistant", "content": message.get("content") or [{"text": "(no answer)"}]}


def _understood(
    answer: Mapping[str, Any], page_count: int
) -> tuple[list[ExtractedConcept], list[Rejection]] | None:
    """What an answer's tool call holds after both validations; None when it holds no usable call."""
    calls = [block["toolUse"] for block in answer["content"] if "toolUse" in block]
    call = next((call for call in calls if call.get("name") == TOOL_NAME), None)
    if call is None:
        return None
    try:
        items = _Answer.model_validate(call.get("input")).concepts
    except ValidationError:
        return None
    concepts: list[ExtractedConcept] = []
    malformed: list[Rejection] = []
    for item in items[:_MOST_LOOKED_AT]:
        try:
            concepts.append(_Concept.model_validate(item).extracted())
        except ValidationError:
            name = item.get("name") if isinstance(item, dict) else item
            malformed.append(
                Rejection(json.dumps(name, ensure_ascii=False)[:80], RejectionReason.MALFORMED.value)
            )
    kept, refused = validate(concepts, page_count=page_count)
    return kept, malformed + refused


def parts(pages: Sequence[Page], *, part_chars: int, overlap_chars: int) -> list[list[Page]]:
    """Cut a document into parts of at most `part_chars` characters that overlap by about `overlap_chars`.

    Pages keep their numbers; a page longer than a part is continued in the next one under the same number.
    """
    pieces: list[Page] = []
    step = max(1, part_chars - overlap_chars)
    for page in pages:
        starts = (
            range(0, max(1, len(page.text) - overlap_chars), step) if len(page.text) > part_chars else (0,)
        )
        pieces += [
            Page(page.number, page.text[start : start + part_chars]) for start in starts if page.text.strip()
        ]
    cut: list[list[Page]] = []
    current: list[Page] = []
    size = 0
    for piece in pieces:
        if current and size + len(piece.text) > part_chars:
            cut.append(current)
            tail = current[-1]
            room = min(overlap_chars, part_chars - len(piece.text))
            current = [Page(tail.number, tail.text[-room:])] if room > 0 else []
            size = sum(len(page.text) for page in current)
        current.append(piece)
        size += len(piece.text)
    if current:
        cut.append(current)
    return cut


def merged(found: Sequence[Sequence[ExtractedConcept]]) -> list[ExtractedConcept]:
    """One list from the parts' lists: the same idea once, pages and prerequisites united, each part's first ones first.

    Taking turns between the parts keeps the bound of a file from being spent on its beginning.
    """
    by_key: dict[str, ExtractedConcept] = {}
    longest = max((len(concepts) for concepts in found), default=0)
    for rank in range(longest):
        for concepts in found:
            if rank >= len(concepts):
                continue
            concept = concepts[rank]
            key = canonical_key(concept.name)
            known = by_key.get(key)
            by_key[key] = concept if known is None else _united(known, concept)
    bounded = list(by_key.items())[:MAX_CONCEPTS_PER_FILE]
    kept = {key for key, _ in bounded}
    # An edge to a concept that the bound left out is no mistake of the model: it goes without a refusal.
    return [
        ExtractedConcept(
            name=concept.name,
            gist=concept.gist,
            definition=concept.definition,
            builds_on=tuple(name for name in concept.builds_on if canonical_key(name) in kept),
            assumed=concept.assumed,
            pages=concept.pages,
        )
        for _, concept in bounded
    ]


def _united(first: ExtractedConcept, second: ExtractedConcept) -> ExtractedConcept:
    return ExtractedConcept(
        name=first.name,
        gist=first.gist,
        definition=max(first.definition, second.definition, key=len),
        builds_on=tuple(dict.fromkeys(first.builds_on + second.builds_on)),
        assumed=tuple(dict.fromkeys(first.assumed + second.assumed)),
        pages=tuple(sorted({*first.pages, *second.pages})),
    )
