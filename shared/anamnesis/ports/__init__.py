"""What the use cases need from the outside, as small Protocols named by role.

Every method may raise ``StoreUnavailable`` (or ``ModelUnavailable`` for models) when the technology behind it fails;
other errors are listed. Readers see their own pair's (or scope's) writes at once unless a method says otherwise.
"""

from __future__ import annotations

from anamnesis.ports.files import ConceptReader, FileReader, ReadingParts, ReadingProgress, UploadArea
from anamnesis.ports.log import CheckpointStore, EpisodeLog, ErasureStore, KeyedHash, Roster, Signer
from anamnesis.ports.machine import Backoff, Clock, IdSource
from anamnesis.ports.meaning import Embedder, SemanticIndex, Vector
from anamnesis.ports.operations import NightQueue, RequestCounter, WikiQueue
from anamnesis.ports.stores import BeliefStore, ConceptStore, RecordStore
from anamnesis.ports.tutoring import AnswerQueue, AnswerStore, TutorModel
from anamnesis.ports.wiki import Connector, ConnectorStore, WebPages, WikiRepository, WikiWriter

__all__ = [
    "AnswerQueue",
    "AnswerStore",
    "Backoff",
    "BeliefStore",
    "CheckpointStore",
    "Clock",
    "ConceptReader",
    "ConceptStore",
    "Connector",
    "ConnectorStore",
    "Embedder",
    "EpisodeLog",
    "ErasureStore",
    "FileReader",
    "IdSource",
    "KeyedHash",
    "NightQueue",
    "ReadingParts",
    "ReadingProgress",
    "RecordStore",
    "RequestCounter",
    "Roster",
    "SemanticIndex",
    "Signer",
    "TutorModel",
    "UploadArea",
    "Vector",
    "WebPages",
    "WikiQueue",
    "WikiRepository",
    "WikiWriter",
]
