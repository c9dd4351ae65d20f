"""What an OpenSearch index of one embedding model is called and made of."""

from __future__ import annotations

import hashlib
import re
from typing import Any

#: Lucene's defaults for the graph. `anamnesis bench neighbours` measures what they find and cost.
HNSW_M = 16
HNSW_EF_CONSTRUCTION = 128
#: Primary shards. A pair lies in one of them, and a search asks only that one; their number cannot be changed later.
#: At 30 GB a shard, the most that OpenSearch advises for search, each has room for 16 million vectors of 384 floats.
SHARDS = 4
#: How soon what was indexed can be found. Named, because an index without it stops refreshing when nobody searches for
#: 30 s, and the next turn would wait for the refresh ("index.search.idle.after" in OpenSearch's documentation).
REFRESH_INTERVAL = "1s"
#: End of the name of the index that an alias points to at first; one that is filled beside it ends otherwise.
_FIRST = "v1"
#: Longest part of a model's name in an index's name, which may have 255 bytes.
_LONGEST_SLUG = 80


def index_name(prefix: str, embedder: str, dimension: int) -> str:
    """Return the name for vectors of one model: lower case, without a colon, and another one for each model.

    The model's name is cut down to what an index name may hold and followed by the beginning of its SHA-256, so that
    "模型", "E5:small" and "e5 small" have three names.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", embedder.lower())[:_LONGEST_SLUG].strip("-")
    digest = hashlib.sha256(embedder.encode()).hexdigest()[:8]
    return "-".join(part for part in (prefix, slug, digest, str(dimension)) if part)


def first_index(name: str) -> str:
    """Return the index that is made for a name; the name itself is an alias of it.

    Writing requires the alias, so that nothing is ever written to an index that OpenSearch made up because there was
    none, and an operator can fill another index beside this one and move the alias.
    """
    return f"{name}-{_FIRST}"


def index_body(name: str, dimension: int, shards: int) -> dict[str, Any]:
    """Return settings, mappings and alias of a k-NN index on Lucene's graph (no native library)."""
    method = {
        "name": "hnsw",
        "engine": "lucene",
        "space_type": "cosinesimil",
        "parameters": {"m": HNSW_M, "ef_construction": HNSW_EF_CONSTRUCTION},
    }
    return {
        "settings": {
            "index": {"knn": True, "number_of_shards": shards, "refresh_interval": REFRESH_INTERVAL}
        },
        "mappings": {
            "dynamic": "strict",
            "properties": {
                "pair": {"type": "keyword"},
                "position": {"type": "long"},
                "vector": {"type": "knn_vector", "dimension": dimension, "method": method},
            },
        },
        "aliases": {name: {}},
    }
