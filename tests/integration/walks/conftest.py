"""A checkout of a student's months, made once: lived through on moto and cloned with git."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.aws_stores import make_stores
from support.emulated_aws import emulated_aws
from support.walked_wiki import cloned, lived

HISTORY = Path(__file__).with_name("history.toml")


@pytest.fixture(scope="package")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clone; tests leave it as it is. The emulation ends before: kept open it would be that of all later tests."""
    with emulated_aws():
        repository = make_stores(prefix="walks").wiki_repository
        lived(HISTORY, repository)
        return cloned(repository, tmp_path_factory.mktemp("walks") / "wiki")
