"""Semantic neighbours over a pair's whole history from OpenSearch k-NN."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import boto3
import numpy as np
import numpy.typing as npt
from opensearchpy import OpenSearch, Urllib3AWSV4SignerAuth, Urllib3HttpConnection
from opensearchpy.exceptions import NotFoundError, RequestError

from anamnesis.adapters.opensearch_layout import SHARDS, first_index, index_body, index_name
from anamnesis.adapters.opensearch_requests import failures_ours, understanding, within
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair

Vector = npt.NDArray[np.float32]

#: Vectors in one bulk request: about 1 MB of JSON at 384 dimensions.
BULK_SIZE = 200
#: Most neighbours of one search: OpenSearch refuses a larger `k`, and a larger result window.
MOST_NEIGHBOURS = 10_000
#: What is answered for a document that was made or replaced, and for one that was removed or was not there.
DONE = {"index": frozenset({200, 201}), "delete": frozenset({200, 404})}
#: Highest cosine of an answer that counts as one: float32 sums of 384 products are off by less.
_HIGHEST_COSINE = 1.01
#: Decimals of a component of a vector of length 1: cosines are off by less than 2e-7 at 1,536 dimensions, as float32's.
_DECIMALS = 8
#: Longest wait for indexing; nobody reads while it runs. No search takes longer, whatever time it has.
SECONDS = 20.0
#: What to do ("index" or "delete"), index, position, and the vector to index.
Document = tuple[str, str, int, Vector | None]


def opensearch_client(endpoint: str, *, region: str | None = None) -> OpenSearch:
    """Return a client of a domain that tries a request once: what else there is time for, its user knows.

    Parameters
    ----------
    endpoint
        URL of the domain. Over https its requests are signed with the caller's AWS identity; over http (a node on
        loopback) they are not.
    region
        Region of the domain, for the signature.
    """
    url = urlsplit(endpoint)
    signed = url.scheme == "https"
    auth = Urllib3AWSV4SignerAuth(boto3.Session().get_credentials(), region or "", "es") if signed else None
    return OpenSearch(
        hosts=[{"host": url.hostname, "port": url.port or (443 if signed else 9200), "scheme": url.scheme}],
        http_auth=auth,
        use_ssl=signed,
        verify_certs=signed,
        connection_class=Urllib3HttpConnection,
        pool_maxsize=8,
        max_retries=0,
        retry_on_timeout=False,
    )


class OpenSearchSemanticIndex:
    """The port ``SemanticIndex`` on one k-NN index per embedding model; safe to use from many threads.

    A pair's vectors lie in one shard (routing by pair) and every search is filtered to the pair, inside the graph
    search and not after it, so that neighbours of other students neither show nor crowd out.

    Parameters
    ----------
    client
        An OpenSearch client, as of `opensearch_client`.
    embedder
        Name of the model that makes the vectors; part of the index's name, so that another model builds another
        index beside this one.
    dimension
        Length of a vector.
    prefix
        First part of the index's name.
    shards
        Primary shards of an index that is made here.
    searchable_at_once
        Whether what ``add`` and ``remove`` did shows in searches when they return, at the price of a refresh each.
        Readers do not need it: what shows a second later is among the most recent episodes, which recall looks at
        anyway, and what was erased is not told even if it is found.
    """

    def __init__(
        self,
        client: Any,
        *,
        embedder: str,
        dimension: int,
        prefix: str = "episodes",
        shards: int = SHARDS,
        searchable_at_once: bool = False,
    ) -> None:
        self._client = client
        self._dimension = dimension
        self._shards = shards
        self._writing = {
            "refresh": "true" if searchable_at_once else "false",
            "require_alias": "true",
        }
        self._ensured = False
        self._prefix = prefix
        self.index = index_name(prefix, embedder, dimension)

    def ensure(self) -> None:
        """Make the index if there is none of this name; a bulk request alone would make one that cannot search."""
        if self._ensured:
            return
        body = index_body(self.index, self._dimension, self._shards)
        indices = self._client.indices
        with failures_ours():
            if not within(SECONDS, lambda time: indices.exists_alias(name=self.index, params=time)):
                try:
                    indices.create(
                        index=first_index(self.index), body=body, params={"request_timeout": SECONDS}
                    )
                except RequestError as error:
                    # Another process was faster.
                    if error.error != "resource_already_exists_exception":
                        raise
        self._ensured = True

    def add(self, pair: Pair, vectors: Mapping[int, Vector]) -> None:
        """Index episodes by position; the same position again replaces.

        A vector of zeros has no direction and is near nothing: it is taken out instead.

        Raises
        ------
        StoreUnavailable
            If some were refused (all others are indexed by then), or the node does not answer. Adding all of them
            again does no harm.
        """
        self.ensure()
        documents = [
            ("index", self.index, position, vector)
            if vector.any()
            else ("delete", self.index, position, None)
            for position, vector in vectors.items()
            if np.isfinite(vector).all()
        ]
        refused = len(vectors) - len(documents) + self._bulk(pair, documents)
        if refused:
            # The alias may be gone; whoever tries again finds out.
            self._ensured = False
            raise StoreUnavailable(f"opensearch: {refused} of {len(vectors)} vectors were not indexed")

    def remove(self, pair: Pair, positions: Collection[int]) -> None:
        """Take episodes out of the indices of every model; nothing happens for those that are not there.

        An index of an earlier model stays beside the one in use until an operator removes it.

        Raises
        ------
        StoreUnavailable
            If some were not removed (all others are by then), or the node does not answer.
        """
        with failures_ours():
            pattern = f"{self._prefix}-*"
            answer = within(SECONDS, lambda time: self._client.indices.get(index=pattern, params=time))
        indices = _indices(answer, self._prefix)
        wanted = [("delete", index, position, None) for index in indices for position in sorted(positions)]
        if refused := self._bulk(pair, wanted):
            raise StoreUnavailable(f"opensearch: {refused} of {len(wanted)} vectors were not removed")

    def neighbours(
        self, pair: Pair, query: Vector, count: int, *, timeout_seconds: float
    ) -> list[tuple[int, float]]:
        """Return positions and cosines of the nearest episodes of this pair, nearest first; none before any was added.

        A query of zeros is near nothing. Lucene scores cosine similarity as ``(1 + cosine) / 2``, which this turns
        back.

        Raises
        ------
        StoreUnavailable
            If there is no whole answer within `timeout_seconds`.

        References
        ----------
        OpenSearch documentation, "k-NN search: spaces", ``cosinesimil``.
        """
        count = min(count, MOST_NEIGHBOURS)
        if count < 1 or not query.any():
            return []
        body = {
            "size": count,
            # Not even ids: stored fields are unpacked block by block, which took longer than the search.
            "_source": False,
            "stored_fields": "_none_",
            "docvalue_fields": ["position"],
            "query": {
                "knn": {
                    "vector": {"vector": _numbers(query), "k": count, "filter": {"term": {"pair": pair.key}}},
                }
            },
        }
        params = {"routing": _routing(pair), "allow_partial_search_results": "false"}
        with failures_ours():
            try:
                answer = within(
                    min(timeout_seconds, SECONDS),
                    lambda time: self._client.search(index=self.index, body=body, params=params | time),
                )
            except NotFoundError:
                return []
        return _hits(answer)

    def _bulk(self, pair: Pair, documents: Sequence[Document]) -> int:
        """Index and delete; return how many of `documents` were refused, the other ones being through."""
        refused = 0
        for start in range(0, len(documents), BULK_SIZE):
            lines: list[dict[str, Any]] = []
            part = documents[start : start + BULK_SIZE]
            for action, index, position, vector in part:
                lines.append(
                    {action: {"_index": index, "_id": _id(pair, position), "routing": _routing(pair)}}
                )
                if vector is not None:
                    lines.append({"pair": pair.key, "position": position, "vector": _numbers(vector)})
            refused += _refused(self._written(lines), part)
        return refused

    def _written(self, lines: list[dict[str, Any]]) -> Any:
        with failures_ours():
            return within(SECONDS, lambda time: self._client.bulk(body=lines, params=self._writing | time))


def _hits(answer: Any) -> list[tuple[int, float]]:
    """Positions and cosines in an answer to a search."""
    with understanding():
        hits = answer["hits"]["hits"]
        found = [(int(hit["fields"]["position"][0]), 2.0 * hit["_score"] - 1.0) for hit in hits]
        # Rounding may take a cosine past its bounds by a little; a number that is none compares false.
        if answer.get("timed_out") or not all(abs(cosine) <= _HIGHEST_COSINE for _, cosine in found):
            raise ValueError("not a whole answer to a search")
        return found


def _indices(answer: Any, prefix: str) -> list[str]:
    """Names in an answer to a question for all indices that begin so."""
    with understanding():
        names = sorted(answer.keys())
        if not all(name.startswith(f"{prefix}-") for name in names):
            raise ValueError("not the indices that were asked for")
        return names


def _refused(answer: Any, asked: Sequence[Document]) -> int:
    """How many of `asked` an answer to a bulk request does not say to be done."""
    with understanding():
        outcomes = zip(asked, answer["items"], strict=True)
        return sum(int(item[action]["status"]) not in DONE[action] for (action, *_), item in outcomes)


def _numbers(vector: Vector) -> list[float]:
    """Components of the vector at length 1, which cosines do not feel, with the digits that float32 has there.

    A float32 written as a double has 17 digits; that doubled the size of requests and of what the index stores.
    """
    wide = vector.astype(np.float64)
    numbers: list[float] = np.round(wide / np.linalg.norm(wide), _DECIMALS).tolist()
    return numbers


def _id(pair: Pair, position: int) -> str:
    # OpenSearch allows 512 bytes for an id, fewer than a pair's key may have.
    return f"{_routing(pair)}-{position}"


def _routing(pair: Pair) -> str:
    return hashlib.sha256(pair.key.encode()).hexdigest()[:32]
