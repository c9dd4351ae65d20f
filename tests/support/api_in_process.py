"""A caller of the real handlers over stores in memory, with everything else that ships: readers, embedder, clock, ids.

It is an ``ApiClient`` like the command line's, whose requests go into the functions instead of over a network. What AWS
would start by itself follows each request at once: the stream's indexing, and the reading of an upload.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

import numpy as np
import pytest
import requests

from anamnesis import bootstrap
from anamnesis.adapters.local_signing import LocalSigner, new_private_key_pem
from anamnesis.domain.identifiers import Pair
from anamnesis.ports import Embedder, Vector
from anamnesis.service.admit_request import AdmitRequest
from anamnesis.service.connectors import Connectors
from anamnesis.service.erased_events import ErasedEvents
from anamnesis.service.read_file import ReadFile
from anamnesis_tools.api_client import MEDIA_TYPES, ApiClient, ApiProblem
from support.http_bridge import event_of
from support.lambda_events import LambdaContext
from support.memory_answers import MemoryAnswerStore
from support.memory_connectors import MemoryConnectorStore, MemoryWeb
from support.memory_platform import (
    MemoryCheckpointStore,
    MemoryKeyedHash,
    MemoryReadingParts,
    MemoryRequestCounter,
    MemoryUploadArea,
)
from support.memory_stores import (
    MemoryBeliefStore,
    MemoryConceptStore,
    MemoryEpisodeLog,
    MemoryErasureStore,
    MemoryRecordStore,
    MemoryRoster,
)
from support.memory_wiki import MemoryWikiRepository
from support.wired_memory import AtOnce

_SETTINGS = (
    *(f"{table}_TABLE" for table in ("EPISODES", "BELIEFS", "CONCEPTS", "RECORDS")),
    *(f"{bucket}_BUCKET" for bucket in ("FILES", "CONTENT", "CHECKPOINTS")),
    "SIGNING_KEY_ID",
    "ERASURE_KEY_ID",
)


class Remembering:
    """The shipped embedder, which embeds a text once: a thousand times the same takes no longer than one."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name, self.dimension = embedder.name, embedder.dimension
        self.merge_threshold, self.match_threshold = embedder.merge_threshold, embedder.match_threshold
        self.floor = embedder.floor
        self._passage = lru_cache(None)(lambda text: embedder.embed_passages([text])[0])
        self.embed_query = lru_cache(None)(embedder.embed_query)

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        return np.stack([self._passage(text) for text in texts])


@dataclass(frozen=True)
class Place:
    """The application under the handlers, and how far each log is indexed."""

    app: bootstrap.Application
    log: MemoryEpisodeLog
    uploads: MemoryUploadArea
    indexed: dict[Pair, int]

    def catch_up(self, pair: Pair) -> None:
        """Index what was recorded since, as the stream does."""
        last, length = self.indexed.get(pair, 0), self.log.head(pair).length
        if length > last:
            self.app.index_episodes(pair, range(last + 1, length + 1))
            self.indexed[pair] = length

    def receive(self, key: str, data: bytes) -> None:
        """Take an upload, and read it, as what arrives in the bucket is."""
        self.uploads._bytes[self.uploads.locate(key)] = data
        self.app.read_file(key)


@contextmanager
def place_in_process() -> Iterator[Place]:
    """The handlers' application over new stores in memory."""
    with pytest.MonkeyPatch.context() as patch:
        for name in _SETTINGS:
            patch.setenv(f"ANAMNESIS_{name}", "in-memory")
        patch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
        patch.setenv("POWERTOOLS_TRACE_DISABLED", "1")
        patch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Anamnesis")
        patch.setenv("POWERTOOLS_SERVICE_NAME", "tests")
        bootstrap.application.cache_clear()
        try:
            yield _place(bootstrap.application())
        finally:
            bootstrap.application.cache_clear()


def _place(app: bootstrap.Application) -> Place:
    log, uploads, concepts = MemoryEpisodeLog(), MemoryUploadArea(), MemoryConceptStore()
    parts: dict[str, Any] = {
        "_log": log,
        "_uploads": uploads,
        "_concepts": concepts,
        "_erasures": MemoryErasureStore(log),
        "_roster": MemoryRoster(log),
        "_beliefs": MemoryBeliefStore(),
        "_records": MemoryRecordStore(),
        "_answers": MemoryAnswerStore(),
        "_wikis": MemoryWikiRepository(),
        "_checkpoints": MemoryCheckpointStore(),
        "_signer": LocalSigner(new_private_key_pem(), name=bootstrap.SIGNER_NAME),
        "embedder": Remembering(app.embedder),
    }
    vars(app).update(parts)
    vars(app)["_erased_events"] = ErasedEvents(log, parts["_erasures"], MemoryKeyedHash(), app._withheld)
    vars(app)["admit_request"] = AdmitRequest(
        counter=MemoryRequestCounter(), clock=app.clock, executor=AtOnce(), limit=0, monotonic=lambda: 0.0
    )
    vars(app)["connectors"] = Connectors(
        store=MemoryConnectorStore(), web=MemoryWeb(), open={}, clock=app.clock
    )
    from anamnesis.adapters.file_reader import ContentFileReader

    vars(app)["read_file"] = ReadFile(
        concepts=concepts,
        uploads=uploads,
        file_reader=ContentFileReader(),
        concept_reader=app._concept_reader,
        embedder=app.embedder,
        publish=app._publish,
        record_event=app._record_file_event,
        reading_parts=MemoryReadingParts(),
        clock=app.clock,
    )
    return Place(app, log, uploads, {})


class InProcessClient(ApiClient):
    """A caller with a token of the service's role."""

    def __init__(self, place: Place, *, tenant: str = "school", student: str = "ana") -> None:
        super().__init__("", "service", student=student)
        self._place, self._tenant, self._student = place, tenant, student

    def acting_for(self, student: str) -> InProcessClient:
        return InProcessClient(self._place, tenant=self._tenant, student=student)

    def send_file(self, subject: str, name: str, data: bytes) -> str:
        kind = MEDIA_TYPES.get(f".{name.rpartition('.')[2]}", "application/octet-stream")
        offer = self.call(
            "POST",
            self.subject(subject, "files"),
            {"name": name, "media_type": kind, "bytes": len(data)},
        )
        key = offer["upload"]["url"].removeprefix("memory://")
        self._place.receive(key, data)
        self._place.catch_up(Pair(self._tenant, self._student, subject))
        file_id: str = offer["file_id"]
        return file_id

    def _answered(
        self, method: str, path: str, *, params: dict[str, Any] | None = None, **options: Any
    ) -> requests.Response:
        sent = options.get("json")
        body = b"" if sent is None else json.dumps(sent).encode()
        headers = {
            f"HTTP_{k.upper().replace('-', '_')}": v for k, v in (options.get("headers") or {}).items()
        }
        environ = {
            "REQUEST_METHOD": method,
            "REQUEST_URI": path,
            "QUERY_STRING": urlencode({**self._params, **(params or {})}),
            "HTTP_AUTHORIZATION": "Bearer service",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
            **headers,
        }
        event = event_of(environ, tenant=self._tenant, student=self._student)
        answer = handled(event)
        if method != "GET" and "/subjects/" in path:
            self._place.catch_up(Pair(self._tenant, self._student, _subject_of(path)))
        reply = requests.Response()
        reply.status_code = answer["statusCode"]
        reply._content = (answer.get("body") or "").encode()
        if reply.status_code >= 400:
            raise ApiProblem(reply.status_code, reply.json())
        return reply


def handled(event: dict[str, Any]) -> dict[str, Any]:
    """What the function behind the event's route answers."""
    import api.app
    import read_block.app
    import start_answer.app

    posted = event["requestContext"]["http"]["method"] == "POST"
    own = {"block": read_block, "answers": start_answer}
    part = own.get(event["rawPath"].rpartition("/")[2]) if posted else None
    app = (part or api).app
    # The functions live in one process here; in Lambda each has its own.
    for module in api.routes.MODULES if part is None else (part.routes,):
        module.router.api_resolver = app.app
    answer: dict[str, Any] = app.handler(event, LambdaContext())
    return answer


def _subject_of(path: str) -> str:
    return unquote(urlsplit(path).path.split("/subjects/", 1)[1].partition("/")[0])
