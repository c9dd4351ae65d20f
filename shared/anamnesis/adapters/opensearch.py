"""Semantic neighbours over a pair's whole history from OpenSearch k-NN."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlsplit

import boto3
import numpy as np
import numpy.typing as npt
from opensearchpy import OpenSearch, Urllib3AWSV4SignerAuth, Urllib3HttpConnection
from opensearchpy.exceptions import NotFoundError, OpenSearchException, RequestError

from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair

Vector = npt.NDArray[np.float32]

#: Lucene's defaults for the graph; recall at 10 stays above 0.95 for a pair's few thousand vectors, since a filter on
#: the pair makes Lucene search small sets exactly.
HNSW_M = 16
HNSW_EF_CONSTRUCTION = 128
#: Vectors in one bulk request: about 1.5 MB of JSON at 384 dimensions.
BULK_SIZE = 200
#: What is answered for a document that was removed, or was not there.
REMOVED = frozenset({200, 404})
#: Highest cosine of an answer that counts as one: float32 sums of 384 products are off by less.
_HIGHEST_COSINE = 1.01
#: Longest wait for indexing; nobody reads while it runs.
WRITE_TIMEOUT_SECONDS = 20.0


def opensearch_client(endpoint: str, *, region: str | None = None) -> OpenSearch:
    """Return a client of a domain.

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
        max_retries=1,
        retry_on_timeout=False,
    )


class OpenSearchSemanticIndex:
    """The port ``SemanticIndex`` on one k-NN index per embedding model; safe to use from many threads.

    A pair's vectors lie in one shard (routing by pair) and every search is filtered to the pair, inside the graph
    search and not after it, so that neighbours of other students neither show nor crowd out.

    Parameters
    ----------
    client
        An OpenSearch client.
    embedder
        Name of the model that makes the vectors; part of the index's name, so that another model builds another
        index beside this one.
    dimension
        Length of a vector.
    prefix
        First part of the index's name.
    wait_until_searchable
        Whether ``add`` waits for the index's refresh (by default within a second). Readers do not need it: what is
        not searchable yet is among the most recent episodes, which recall looks at anyway.
    """

    def __init__(
        self,
        client: Any,
        *,
        embedder: str,
        dimension: int,
        prefix: str = "episodes",
        wait_until_searchable: bool = False,
    ) -> None:
        self._client = client
        self._dimension = dimension
        self._refresh = "wait_for" if wait_until_searchable else "false"
        self._ensured = False
        self._prefix = prefix
        self.index = index_name(prefix, embedder, dimension)

    def ensure(self) -> None:
        """Make the index if it is not there; a bulk request alone would make one with a mapping that cannot search."""
        if self._ensured:
            return
        try:
            self._client.indices.create(index=self.index, body=_mapping(self._dimension))
        except RequestError as error:
            if error.error != "resource_already_exists_exception":
                raise _unavailable(error) from None
        except OpenSearchException as error:
            raise _unavailable(error) from None
        self._ensured = True

    def add(self, pair: Pair, vectors: Mapping[int, Vector]) -> None:
        """Index episodes by position; the same position again replaces."""
        self.ensure()
        positions = list(vectors)
        for start in range(0, len(positions), BULK_SIZE):
            lines: list[dict[str, Any]] = []
            for position in positions[start : start + BULK_SIZE]:
                action = {"_index": self.index, "_id": _id(pair, position), "routing": _routing(pair)}
                document = {"pair": pair.key, "position": position, "vector": vectors[position].tolist()}
                lines += [{"index": action}, document]
            params = {"request_timeout": WRITE_TIMEOUT_SECONDS, "refresh": self._refresh}
            try:
                answer = self._client.bulk(body=lines, params=params)
            except OpenSearchException as error:
                raise _unavailable(error) from None
            if answer["errors"]:
                raise StoreUnavailable("opensearch: some vectors were not indexed")

    def remove(self, pair: Pair, positions: Collection[int]) -> None:
        """Take episodes out of the indices of every model; nothing happens for those that are not there.

        An index of an earlier model stays beside the one in use until an operator removes it.
        """
        try:
            indices = sorted(self._client.indices.get(index=f"{self._prefix}-*"))
        except OpenSearchException as error:
            raise _unavailable(error) from None
        wanted = [(index, position) for index in indices for position in sorted(positions)]
        for start in range(0, len(wanted), BULK_SIZE):
            lines = [
                {"delete": {"_index": index, "_id": _id(pair, position), "routing": _routing(pair)}}
                for index, position in wanted[start : start + BULK_SIZE]
            ]
            params = {"request_timeout": WRITE_TIMEOUT_SECONDS, "refresh": self._refresh}
            try:
                answer = self._client.bulk(body=lines, params=params)
            except OpenSearchException as error:
                raise _unavailable(error) from None
            if any(item["delete"]["status"] not in REMOVED for item in answer["items"]):
                raise StoreUnavailable("opensearch: some vectors were not removed")

    def neighbours(
        self, pair: Pair, query: Vector, count: int, *, timeout_seconds: float
    ) -> list[tuple[int, float]]:
        """Return positions and cosines of the nearest episodes of this pair, nearest first; none before any was added.

        Lucene scores cosine similarity as ``(1 + cosine) / 2``, which this turns back.

        References
        ----------
        OpenSearch documentation, "k-NN search: spaces", ``cosinesimil``.
        """
        body = {
            "size": count,
            "_source": False,
            "docvalue_fields": ["position"],
            "query": {
                "knn": {
                    "vector": {"vector": query.tolist(), "k": count, "filter": {"term": {"pair": pair.key}}},
                }
            },
        }
        params = {"routing": _routing(pair), "request_timeout": timeout_seconds}
        try:
            answer = self._client.search(index=self.index, body=body, params=params)
        except NotFoundError:
            return []
        except OpenSearchException as error:
            raise _unavailable(error) from None
        return _hits(answer)


def index_name(prefix: str, embedder: str, dimension: int) -> str:
    """Return an index name that carries the model and its dimension; index names are lower case and hold no colon."""
    return f"{prefix}-{re.sub(r'[^a-z0-9]+', '-', embedder.lower()).strip('-')}-{dimension}"


def _hits(answer: Any) -> list[tuple[int, float]]:
    """Positions and cosines in an answer; one that a proxy or a broken node made up is a failure of the node."""
    try:
        found = [
            (int(hit["fields"]["position"][0]), 2.0 * hit["_score"] - 1.0) for hit in answer["hits"]["hits"]
        ]
        # Rounding may take a cosine past its bounds by a little; a number that is none compares false.
        if all(abs(cosine) <= _HIGHEST_COSINE for _, cosine in found):
            return found
    except (KeyError, TypeError, ValueError, IndexError):
        pass
    raise StoreUnavailable("opensearch: the answer is not one to a search")


def _mapping(dimension: int) -> dict[str, Any]:
    method = {
        "name": "hnsw",
        "engine": "lucene",
        "space_type": "cosinesimil",
        "parameters": {"m": HNSW_M, "ef_construction": HNSW_EF_CONSTRUCTION},
    }
    return {
        "settings": {"index": {"knn": True}},
        "mappings": {
            "dynamic": "strict",
            "properties": {
                "pair": {"type": "keyword"},
                "position": {"type": "long"},
                "vector": {"type": "knn_vector", "dimension": dimension, "method": method},
            },
        },
    }


def _id(pair: Pair, position: int) -> str:
    # OpenSearch allows 512 bytes for an id, fewer than a pair's key may have.
    return f"{_routing(pair)}-{position}"


def _routing(pair: Pair) -> str:
    return hashlib.sha256(pair.key.encode()).hexdigest()[:32]


def _unavailable(error: OpenSearchException) -> StoreUnavailable:
    return StoreUnavailable(f"opensearch: {type(error).__name__}")
