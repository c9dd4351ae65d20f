"""The semantic index in memory and on a node of its own, through the real client."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from anamnesis.adapters.opensearch import OpenSearchSemanticIndex, index_name, opensearch_client
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.ports import SemanticIndex
from contracts.examples import fresh_pair, unit_vectors
from contracts.semantic_index import DIMENSION, SemanticIndexContract
from support.memory_platform import MemorySemanticIndex
from support.opensearch_node import Node, running_node


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

    def test_garbage_is_a_failure_of_the_node(self, index: SemanticIndex, node: Node) -> None:
        """An answer that is none, as of a proxy in front, is a source that failed, not a bug of ours (BL-3, SV-14)."""
        pair = fresh_pair()
        index.add(pair, {1: unit_vectors(1)[0]})
        hit = b'{"hits": {"hits": [{"_score": %s, "fields": {"position": [%s]}}]}}'
        for garbage in (
            b"",
            b"<html>503</html>",
            b"[]",
            b"null",
            b'"hits"',
            b"{}",
            b'{"hits": {"hits": [{}]}}',
            hit % (b"NaN", b"1"),
            hit % (b"40.5", b"1"),
            hit % (b'"high"', b"1"),
            hit % (b"1.0", b'"first"'),
            hit % (b"1.0", b""),
        ):
            node.garbage = garbage
            with pytest.raises(StoreUnavailable):
                index.neighbours(pair, unit_vectors(1)[0], 3, timeout_seconds=5)
        node.garbage = None
        assert index.neighbours(pair, unit_vectors(1)[0], 3, timeout_seconds=5)

    def test_reports_what_was_not_indexed(self, index: SemanticIndex) -> None:
        """A vector that the index refuses is reported, so that it is sent again (SV-14)."""
        with pytest.raises(StoreUnavailable):
            index.add(fresh_pair(), {1: unit_vectors(1, DIMENSION + 1)[0]})

    def test_an_index_per_model(self, index: SemanticIndex, node: Node) -> None:
        """Vectors of another model or dimension go to another index (CM-3)."""
        assert index_name("episodes", "E5 small:v2", 8) == "episodes-e5-small-v2-8"
        other = OpenSearchSemanticIndex(opensearch_client(node.url), embedder="other", dimension=DIMENSION)
        pair = fresh_pair()
        for each in (index, other):
            each.add(pair, {1: unit_vectors(1)[0]})
        assert set(node.indices) == {"episodes-e5-small-v2-8", "episodes-other-8"}

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
        assert list(node.indices) == ["episodes-m-8"]
