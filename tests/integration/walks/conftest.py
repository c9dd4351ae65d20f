"""A checkout of a student's months, made once: lived through on moto and cloned with git."""

from __future__ import annotations

from pathlib import Path

import pytest
from moto import mock_aws

from support.aws_stores import REGION, make_stores
from support.aws_transactions import light_transactions
from support.walked_wiki import cloned, lived

HISTORY = Path(__file__).with_name("history.toml")


@pytest.fixture(scope="package")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clone; tests leave it as it is. The emulation ends before: kept open it would be that of all later tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
            patch.setenv(name, "testing")
        patch.setenv("AWS_DEFAULT_REGION", REGION)
        for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE"):
            patch.delenv(name, raising=False)
        with mock_aws(), light_transactions():
            repository = make_stores(prefix="walks").wiki_repository
            lived(HISTORY, repository)
            return cloned(repository, tmp_path_factory.mktemp("walks") / "wiki")
