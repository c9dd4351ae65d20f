"""The functions as Lambda runs them, on real adapters over moto."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count

import pytest

from anamnesis import bootstrap
from anamnesis.adapters.aws_clients import aws_client
from support.aws_stores import REGION, AwsStores, make_stores
from support.emulated_aws import emulated_aws
from support.lambda_events import Api
from support.wired_memory import HashEmbedder

_numbers = count(1)


class CurrentStdout:
    """Standard output as it is at the time of writing: the logger would keep the one it was made with."""

    def write(self, text: str) -> int:
        return sys.stdout.write(text)

    def flush(self) -> None:
        sys.stdout.flush()


@pytest.fixture(scope="module")
def stack() -> Iterator[tuple[AwsStores, HashEmbedder]]:
    """Tables, buckets, key and queue on moto, and the functions' environment.

    A module has its own: some tests look at everything that is stored, and would at what all others have left.
    """
    with emulated_aws() as patch:
        patch.setenv("POWERTOOLS_TRACE_DISABLED", "1")
        patch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Anamnesis")
        patch.setenv("POWERTOOLS_SERVICE_NAME", "tests")
        stores = make_stores(prefix="functions")
        key = aws_client("kms", region=REGION).create_key(KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY")
        erasure_key = aws_client("kms", region=REGION).create_key(
            KeySpec="HMAC_256", KeyUsage="GENERATE_VERIFY_MAC"
        )
        queue = aws_client("sqs", region=REGION).create_queue(QueueName="night")
        for table in ("episodes", "beliefs", "concepts", "records"):
            patch.setenv(f"ANAMNESIS_{table.upper()}_TABLE", f"functions-{table}")
        for bucket in ("files", "content", "checkpoints"):
            patch.setenv(f"ANAMNESIS_{bucket.upper()}_BUCKET", f"functions-{bucket}")
        patch.setenv("ANAMNESIS_SIGNING_KEY_ID", key["KeyMetadata"]["KeyId"])
        patch.setenv("ANAMNESIS_ERASURE_KEY_ID", erasure_key["KeyMetadata"]["KeyId"])
        patch.setenv("ANAMNESIS_NIGHT_QUEUE_URL", queue["QueueUrl"])
        import observability

        observability.logger.registered_handler.stream = CurrentStdout()
        bootstrap.application.cache_clear()
        embedder = HashEmbedder()
        # The model's place in the application; every other part is the real one.
        bootstrap.application().__dict__["embedder"] = embedder
        yield stores, embedder
        bootstrap.application.cache_clear()


@pytest.fixture
def api(stack: tuple[AwsStores, HashEmbedder]) -> Api:
    """The HTTP API in a tenant that no other test uses."""
    stores, embedder = stack
    return Api(f"school {next(_numbers)}", stores, embedder)
