"""The semantic index on a real OpenSearch node with the k-NN plugin, where one can be had (SV-10)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from opensearchpy import OpenSearch

from anamnesis.adapters.opensearch import OpenSearchSemanticIndex, opensearch_client
from anamnesis.adapters.opensearch_layout import first_index, index_body
from anamnesis.domain.errors import StoreUnavailable
from anamnesis.domain.identifiers import Pair
from anamnesis_tools.stack.search_node import URL_VARIABLE, SearchNode, assembled
from contracts.examples import fresh_pair, unit_vectors
from contracts.semantic_index import DIMENSION, SemanticIndexContract

NONE_HERE = (
    f"no OpenSearch node: `make opensearch` assembles one (JDK and Maven), or name one in {URL_VARIABLE}"
)
Make = Callable[..., OpenSearchSemanticIndex]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The node that is named, or one that was assembled before."""
    if named := os.environ.get(URL_VARIABLE):
        yield named
    elif assembled():
        with SearchNode() as node:
            yield node.url
    else:
        pytest.skip(NONE_HERE)


@pytest.fixture
def client(url: str) -> OpenSearch:
    return opensearch_client(url)


@pytest.fixture
def make(client: OpenSearch) -> Iterator[Make]:
    """Makes indices of this test alone, which go with it."""
    prefix = f"test{uuid4().hex}"

    def made(**options: Any) -> OpenSearchSemanticIndex:
        options = {"embedder": "m", "dimension": DIMENSION, "searchable_at_once": True} | options
        return OpenSearchSemanticIndex(client, prefix=prefix, **options)

    yield made
    for name in client.indices.get(index=f"{prefix}-*"):
        client.indices.delete(index=name)


@pytest.fixture
def index(make: Make) -> OpenSearchSemanticIndex:
    return make()


class TestContract(SemanticIndexContract):
    """What every semantic index promises."""


def found(index: OpenSearchSemanticIndex, pair: Pair, query: Any, count: int = 10) -> list[int]:
    return [position for position, _ in index.neighbours(pair, query, count, timeout_seconds=10)]


def test_finds_a_pairs_nearest_among_nearer_ones_of_others(make: Make) -> None:
    """The filter works inside the search: 3,000 nearer vectors in the same shard take no place of a pair's (SV-11)."""
    index = make(shards=1)
    query = unit_vectors(1, seed=9)[0]
    noise = unit_vectors(3_000, seed=10)
    near = query + 0.1 * noise
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    index.add(fresh_pair(), dict(enumerate(near, start=1)))
    pair, own = fresh_pair(), unit_vectors(60, seed=11)
    index.add(pair, dict(enumerate(own, start=1)))
    assert found(index, pair, query, 20) == [int(n) + 1 for n in np.argsort(-(own @ query))[:20]]


def test_finds_what_exact_search_finds(make: Make) -> None:
    """Of the 20 exact neighbours among 4,000 episodes of a pair, the graph finds 19 on average (RC-1)."""
    index = make(dimension=64, shards=1)
    pair, vectors = fresh_pair(), unit_vectors(4_000, 64)
    index.add(pair, dict(enumerate(vectors, start=1)))
    shares = []
    for query in unit_vectors(40, 64, seed=5):
        exact = {int(n) + 1 for n in np.argsort(-(vectors @ query))[:20]}
        shares.append(len(exact & set(found(index, pair, query, 100)[:20])) / 20)
    assert np.mean(shares) >= 0.95


def test_a_pair_lies_in_one_shard(index: OpenSearchSemanticIndex, client: OpenSearch) -> None:
    """A turn's search asks one shard, however many there are, and the pair's episodes are all in it (SV-5)."""
    pairs = [fresh_pair() for _ in range(12)]
    for pair in pairs:
        index.add(pair, dict(enumerate(unit_vectors(5), start=1)))
    shards = client.indices.stats(index=index.index, level="shards")["indices"][first_index(index.index)][
        "shards"
    ]
    counts = [s["docs"]["count"] for copies in shards.values() for s in copies if s["routing"]["primary"]]
    assert sum(counts) == 60
    assert len([count for count in counts if count]) > 1
    assert all(count % 5 == 0 for count in counts)


def test_the_mapping_is_a_graph_on_lucene(index: OpenSearchSemanticIndex, client: OpenSearch) -> None:
    """The node took the vector field for what it is meant to be, and takes no field that is not meant (RC-1)."""
    index.ensure()
    [made] = client.indices.get(index=index.index).values()
    vector = made["mappings"]["properties"]["vector"]
    assert (vector["type"], vector["dimension"]) == ("knn_vector", DIMENSION)
    assert (vector["method"]["name"], vector["method"]["engine"]) == ("hnsw", "lucene")
    assert made["mappings"]["dynamic"] == "strict"
    assert made["settings"]["index"]["knn"] == "true"


def test_an_index_that_was_deleted_is_made_again(index: OpenSearchSemanticIndex, client: OpenSearch) -> None:
    """Deleting the index under a running process never leaves one that cannot search in its place (SV-14)."""
    pair, vectors = fresh_pair(), unit_vectors(2)
    index.add(pair, {1: vectors[0]})
    client.indices.delete(index=first_index(index.index))
    with pytest.raises(StoreUnavailable):
        index.add(pair, {2: vectors[1]})
    assert not client.indices.exists(index=index.index)
    assert index.neighbours(pair, vectors[0], 3, timeout_seconds=10) == []
    index.add(pair, {2: vectors[1]})
    assert found(index, pair, vectors[0]) == [2]


def test_another_index_is_filled_beside_and_takes_over(
    index: OpenSearchSemanticIndex, client: OpenSearch
) -> None:
    """An operator fills another index of the same model and moves the alias; running processes follow (SV-14)."""
    pair, vectors = fresh_pair(), unit_vectors(3)
    index.add(pair, {1: vectors[0], 2: vectors[1]})
    old, new = first_index(index.index), f"{index.index}-v2"
    body = index_body(index.index, DIMENSION, shards=2)
    client.indices.create(index=new, body={name: body[name] for name in ("settings", "mappings")})
    copied = {"source": {"index": old}, "dest": {"index": new}}
    client.reindex(body=copied, params={"refresh": "true"})
    moves = [
        {action: {"index": name, "alias": index.index}} for action, name in (("remove", old), ("add", new))
    ]
    client.indices.update_aliases(body={"actions": moves})
    index.add(pair, {3: vectors[2]})
    assert sorted(found(index, pair, vectors[0])) == [1, 2, 3]
    index.remove(pair, [1])
    assert sorted(found(index, pair, vectors[0])) == [2, 3]
    assert client.count(index=old)["count"] == 1


def test_models_are_apart_and_forget_together(make: Make) -> None:
    """Two models answer each by their own vectors, and an erased episode leaves both (CM-3, EP-8)."""
    old, new = make(embedder="modèle a:1"), make(embedder="模型", dimension=16)
    pair = fresh_pair()
    old.add(pair, dict(enumerate(unit_vectors(3), start=1)))
    new.add(pair, dict(enumerate(unit_vectors(2, 16), start=1)))
    assert len(found(old, pair, unit_vectors(1)[0])) == 3
    assert len(found(new, pair, unit_vectors(1, 16)[0])) == 2
    new.remove(pair, [1])
    assert 1 not in found(old, pair, unit_vectors(1)[0]) + found(new, pair, unit_vectors(1, 16)[0])


def test_an_index_that_refuses_writes_is_still_searched(
    index: OpenSearchSemanticIndex, client: OpenSearch
) -> None:
    """A node whose disk is full refuses what is new, which is told, and answers turns (SV-14, BL-3)."""
    pair, vectors = fresh_pair(), unit_vectors(2)
    index.add(pair, {1: vectors[0]})
    block = "index.blocks.read_only_allow_delete"
    client.indices.put_settings(index=index.index, body={block: True})
    with pytest.raises(StoreUnavailable):
        index.add(pair, {2: vectors[1]})
    assert found(index, pair, vectors[0]) == [1]
    client.indices.put_settings(index=index.index, body={block: None})
    index.add(pair, {2: vectors[1]})
    assert found(index, pair, vectors[0]) == [1, 2]


def test_is_found_soon_without_waiting(make: Make) -> None:
    """What nobody waited for can be found soon after, in an index that nobody searches too (RC-1)."""
    index = make(searchable_at_once=False)
    pair, [vector] = fresh_pair(), unit_vectors(1)
    index.add(pair, {1: vector})
    until = time.monotonic() + 60
    while found(index, pair, vector) != [1]:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_search_that_has_no_time_is_given_up(index: OpenSearchSemanticIndex) -> None:
    """A search has the time of the turn and no more, and the next one works (BL-3)."""
    pair, [vector] = fresh_pair(), unit_vectors(1)
    index.add(pair, {1: vector})
    for seconds in (0.0, 1e-9, 1e-5):
        with pytest.raises(StoreUnavailable):
            index.neighbours(pair, vector, 3, timeout_seconds=seconds)
    assert found(index, pair, vector) == [1]


def test_a_query_of_another_model_is_a_failure(index: OpenSearchSemanticIndex) -> None:
    """A query that the index cannot understand fails as our own error, without its words (SV-14)."""
    pair, [vector] = fresh_pair(), unit_vectors(1)
    index.add(pair, {1: vector})
    for wrong in (unit_vectors(1, 16)[0], np.full(DIMENSION, np.nan, dtype=np.float32)):
        with pytest.raises(StoreUnavailable):
            index.neighbours(pair, wrong, 3, timeout_seconds=10)
