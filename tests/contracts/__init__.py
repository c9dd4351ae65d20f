"""One suite of promises per port, run over the fake and over the real adapter."""

import pytest

for _port in (
    "belief_store", "checkpoint_store", "concept_store", "episode_log", "record_store", "request_counter",
    "semantic_index", "upload_area",
):  # fmt: skip
    pytest.register_assert_rewrite(f"contracts.{_port}")
