"""The semantic index in memory and on a node of its own, through the real client."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from anamnesis.adapters.opensearch import OpenSearchSemanticIndex, opensearch_client
from anamnesis.adapters.opensearch_layout import first_index, index_name
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis.ports import SemanticIndex
from contracts.examples import fresh_pair, unit_vectors
from contracts.semantic_index import DIMENSION, SemanticIndexContract
from support.memory_platform import MemorySemanticIndex
from support.opensearch_node import Node, running_node

#: Answers with status 200 that are none.
GARBAGE = (
    b"",
    b"<html>503</html>",
    b"[]",
    b"null",
    b'"hits"',
    b'{"took": 1}',
    b'{"items": [], "hits": 3, "errors": false}',
    b"\xff\xfe",
)
HIT = b'{"timed_out": %s, "hits": {"hits": [{"_score": %s, "fields": {"position": [%s]}}]}}'
ITEM = b'{"errors": false, "items": [%s]}'
GARBAGE_FOR = {
    "neighbours": (
        b'{"hits": {"hits": [{}]}}',
        HIT % (b"false", b"NaN", b"1"),
        HIT % (b"false", b"40.5", b"1"),
        HIT % (b"false", b'"high"', b"1"),
        HIT % (b"false", b"1.0", b'"first"'),
        HIT % (b"false", b"1.0", b""),
        HIT % (b"true", b"1.0", b"1"),
    ),
    "add": (ITEM % b"", ITEM % b"{}", ITEM % b'{"index": {}}', ITEM % b'{"index": {"status": "x"}}'),
    "remove": (b'{"error": "none"}',),
}


def called(index: SemanticIndex, call: str, pair: Pair) -> None:
    """One call of the port by its name."""
    vector = unit_vectors(1)[0]
    if call == "add":
        index.add(pair, {1: vector})
    elif call == "remove":
        index.remove(pair, [1])
    else:
        index.neighbours(pair, vector, 3, timeout_seconds=5)


class TestMemory(SemanticIndexContract):
    @pytest.fixture
    def index(self) -> SemanticIndex:
        return MemorySemanticIndex()


class TestOpenSearch(SemanticIndexContract):
    @pytest.fixture
    def node(self) -> Iterator[Node]:
        with running_node() as node:
            yield node

    @pytest.fixture
    def index(self, node: Node) -> SemanticIndex:
        return OpenSearchSemanticIndex(
            opensearch_client(node.url), embedder="E5 small:v2", dimension=DIMENSION
        )

    def test_a_late_answer_is_an_error(self, index: SemanticIndex, node: Node) -> None:
        """A search that takes longer than it may is given up, so that the turn goes on without it (BL-3)."""
        pair = fresh_pair()
        index.add(pair, {1: unit_vectors(1)[0]})
        node.released.clear()
        with pytest.raises(StoreUnavailable):
            index.neighbours(pair, unit_vectors(1)[0], 3, timeout_seconds=0.05)

    def test_failures_are_ours(self, index: SemanticIndex, node: Node) -> None:
        """A node that is down, throttles or refuses is one error that quotes nothing (SV-14)."""
        pair = fresh_pair()
        for status in (400, 403, 429, 500, 503):
            node.broken = status
            for call in (
                lambda: index.add(pair, {1: unit_vectors(1)[0]}),
                lambda: index.neighbours(pair, unit_vectors(1)[0], 3, timeout_seconds=5),
            ):
                with pytest.raises(StoreUnavailable) as raised:
                    call()
                assert "SECRET" not in str(raised.value)
        gone = OpenSearchSemanticIndex(
            opensearch_client("http://127.0.0.1:9"), embedder="m", dimension=DIMENSION
        )
        with pytest.raises(StoreUnavailable):
            gone.neighbours(pair, unit_vectors(1)[0], 3, timeout_seconds=1)

    @pytest.mark.parametrize("call", ["neighbours", "add", "remove"])
    def test_garbage_is_a_failure_of_the_node(self, index: SemanticIndex, node: Node, call: str) -> None:
        """An answer that is none, as of a proxy in front, is a source that failed, not a bug of ours (BL-3, SV-14)."""
        pair, vector = fresh_pair(), unit_vectors(1)[0]
        index.add(pair, {1: vector})
        for garbage in (*GARBAGE, *GARBAGE_FOR[call]):
            node.garbage = garbage
            with pytest.raises(StoreUnavailable):
                called(index, call, pair)
        node.garbage = None
        assert index.neighbours(pair, vector, 3, timeout_seconds=5)
        called(index, call, pair)

    def test_no_time_left_is_no_request(self, index: SemanticIndex, node: Node) -> None:
        """A turn whose time is up does not begin a search that would outlast it (BL-3)."""
        pair = fresh_pair()
        index.add(pair, {1: unit_vectors(1)[0]})
        node.released.clear()
        with pytest.raises(StoreUnavailable, match="no time"):
            index.neighbours(pair, unit_vectors(1)[0], 3, timeout_seconds=0.0)

    def test_an_index_per_model(self, index: SemanticIndex, node: Node) -> None:
        """Vectors of another model or dimension go to another index (CM-3)."""
        other = OpenSearchSemanticIndex(opensearch_client(node.url), embedder="other", dimension=DIMENSION)
        pair = fresh_pair()
        for each in (index, other):
            each.add(pair, {1: unit_vectors(1)[0]})
        assert set(node.indices) == {"episodes-e5-small-v2-92ff665b-8-v1", "episodes-other-d9298a10-8-v1"}

    @pytest.mark.parametrize("name", ["模型", "E5:small", "e5 small", "", "é" * 1_000, "_-", "x" * 300])
    def test_any_model_has_an_index_of_its_own(self, name: str) -> None:
        """Whatever a model is called, its index has a legal name that no other model has (CM-3)."""
        index = first_index(index_name("episodes", name, 384))
        assert re.fullmatch(r"episodes-[a-z0-9-]{1,200}", index)
        assert index not in {first_index(index_name("episodes", name + end, 384)) for end in (" ", ".", "-")}

    def test_removing_reaches_the_index_of_every_model(self, index: SemanticIndex, node: Node) -> None:
        """Erased episodes leave the indices of earlier models too (EP-8)."""
        other = OpenSearchSemanticIndex(opensearch_client(node.url), embedder="other", dimension=DIMENSION)
        pair = fresh_pair()
        for each in (index, other):
            each.add(pair, {1: unit_vectors(1)[0], 2: unit_vectors(1)[0]})
        index.remove(pair, [1])
        assert [document["position"] for document in node.documents.values()] == [2, 2]

    def test_two_processes_make_one_index(self, node: Node) -> None:
        """An index that another process made meanwhile is used (SV-5)."""
        for _ in range(2):
            index = OpenSearchSemanticIndex(opensearch_client(node.url), embedder="m", dimension=DIMENSION)
            index.ensure()
        assert list(node.indices) == [first_index(index_name("episodes", "m", DIMENSION))]
