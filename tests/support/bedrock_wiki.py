"""What tests of the Bedrock wiki writer are built from: the writer on a fake of the API, models by script, answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import boto3
from botocore.config import Config

from anamnesis.adapters.bedrock.wiki_writer import BedrockWikiWriter
from anamnesis.domain.wiki.evidence import WikiEvidence
from anamnesis.domain.wiki.gates import findings
from anamnesis.domain.wiki.page_format import read
from anamnesis.domain.wiki.pages import Tree
from anamnesis.domain.wiki.writing.synthesis import SYNTHESIS
from support.bedrock_converse import BedrockFake, asked, response, tool_input
from support.wired_memory import CountingBackoff

MODEL = "anthropic.some-model-v1:0"
OSMOSIS = "knowledge/concepts/biology/osmosis.md"
MEMBRANE = "knowledge/concepts/biology/membrane.md"


def wiki_writer(fake: BedrockFake, **options: Any) -> BedrockWikiWriter:
    """The writer on a client that talks to the fake and does not wait between tries."""
    config = Config(retries={"mode": "standard", "total_max_attempts": 1}, read_timeout=1, connect_timeout=1)
    client = boto3.client(
        "bedrock-runtime",
        region_name="eu-west-1",
        endpoint_url=fake.url,
        config=config,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )
    return BedrockWikiWriter(client, MODEL, **{"backoff": CountingBackoff()} | options)


def page_of(request: dict[str, Any]) -> str:
    """Path of the page that a request is about."""
    return re.match(r'Your page is "([^"]+)"', asked(request))[1]


def sentence(text: str, *cites: str) -> dict[str, Any]:
    """A sentence as the tool takes it."""
    return {"text": text, "cites": list(cites)}


def writes(path: str, *sentences: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An answer that writes a page."""
    return tool_input({"path": path, "sentences": list(sentences)}, name="write_synthesis", **more)


def calls(name: str, **given: Any) -> dict[str, Any]:
    """An answer that calls a tool."""
    return tool_input(given, name=name)


def both(*answers: dict[str, Any]) -> dict[str, Any]:
    """One answer of all of these calls."""
    blocks = [block for each in answers for block in each["output"]["message"]["content"]]
    for number, block in enumerate(blocks):
        block["toolUse"]["toolUseId"] = f"tooluse_{number}"
    return response(blocks, stop="tool_use")


FINISH = calls("finish")


@dataclass
class Pages:
    """A model that has a script for some pages, the last answer of it again and again, and leaves the others."""

    scripts: dict[str, Sequence[Any]]
    seen: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __call__(self, request: dict[str, Any]) -> Any:
        path = page_of(request)
        before = self.seen.setdefault(path, [])
        before.append(request)
        script = self.scripts.get(path, [FINISH])
        answer = script[min(len(before), len(script)) - 1]
        return answer(request) if isinstance(answer, Callable) else answer  # type: ignore[arg-type]

    def told(self, path: str) -> str:
        """What the model was told of its last calls about a page."""
        block = self.seen[path][-1]["messages"][-1]["content"]
        return "\n".join(
            each["toolResult"]["content"][0]["text"] if "toolResult" in each else each["text"]
            for each in block
        )


def synthesis(tree: Tree, path: str = OSMOSIS) -> list[str]:
    """Sentences of a page's synthesis, with their citations."""
    return [
        line.removeprefix("- ")
        for line in read(path, tree[path]).section(SYNTHESIS).split("\n")
        if line.startswith("- ")
    ]


def passes(tree: Tree, evidence: WikiEvidence, before: Tree | None = None) -> None:
    """Hold a tree to the gates."""
    assert findings(tree, before or {}, evidence) == ()


def without_synthesis(tree: Tree) -> dict[str, list[str]]:
    """Every page without what a model can have a part in: its section, marks, sources, references and numbers."""
    left: dict[str, list[str]] = {}
    for path, text in tree.items():
        page = read(path, text)
        lines = [line.text for line in page.lines if line.section != SYNTHESIS]
        left[path] = [re.sub(r" ?\[cite:\d+\]", "", line) for line in lines]
    return left


MISSED, PASSED = "episode://biology/bio3", "episode://biology/bio7"
GOOD = (
    sentence("The check on 2026-03-02 was wrong: it moves to the side with less salt.", MISSED),
    sentence("On 2026-03-09 the student was right: to the side with more salt.", PASSED),
)
SHOWN = [
    "The check on 2026-03-02 was wrong: it moves to the side with less salt. [cite:5]",
    "On 2026-03-09 the student was right: to the side with more salt. [cite:1]",
]
INVENTED = sentence("The student scored well in chemistry and physics olympiads.", PASSED)


def changed(known: WikiEvidence, *, beliefs: Any = None, episodes: Any = None) -> WikiEvidence:
    """The evidence with other rows of its first subject."""
    first, *others = known.subjects
    first = replace(
        first,
        beliefs=first.beliefs if beliefs is None else tuple(beliefs),
        episodes=first.episodes if episodes is None else tuple(episodes),
    )
    return replace(known, subjects=(first, *others))
