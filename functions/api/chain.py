"""Chain verification, checkpoints and proofs."""

from __future__ import annotations

import base64
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter
from aws_lambda_powertools.metrics import MetricUnit

from anamnesis.bootstrap import application
from anamnesis.domain.log.chain import committed_record, hashed_record
from anamnesis.domain.log.proofs import PublicKey, proof_text
from anamnesis.schemas.chain import BreakOut, ChainOut
from anamnesis.schemas.proofs import (
    CheckpointList,
    CheckpointOut,
    CommittedOut,
    HashedRecordOut,
    ProofOut,
    PublicKeyOut,
)
from callers import pair_of
from observability import metrics

router = APIGatewayHttpRouter()
ROUTE = "/v1/subjects/<subject>/chain"
Student = Annotated[str | None, Query()]


@router.get(ROUTE, summary="Verify the log", tags=["chain"])
def verify_chain(subject: Annotated[str, Path()], student: Student = None) -> ChainOut:
    """Recompute every hash, compare with the signed checkpoints, and say what could not be checked."""
    verdict = application().verify_chain(pair_of(router.current_event, subject, student))
    metrics.add_metric("ChainBreaks", MetricUnit.Count, len(verdict.breaks))
    return ChainOut(
        verified=verdict.verified,
        length=verdict.report.length,
        head=verdict.report.head,
        checkpoints_checked=verdict.checkpoints_checked,
        breaks=[BreakOut(position=b.position, kind=b.kind, count=b.count) for b in verdict.breaks],
        erased=list(verdict.report.erased),
        not_checked=list(verdict.not_checked),
    )


@router.get(f"{ROUTE}/checkpoints", summary="Signed checkpoints and what links them", tags=["chain"])
def list_checkpoints(
    subject: Annotated[str, Path()],
    after: Annotated[int, Query(ge=0, lt=10**12)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    student: Student = None,
) -> CheckpointList:
    """Checkpoints of logs longer than `after`, each with the proof that the log only grew into it.

    A page holds about `limit` of them; those of one length stay together.
    """
    page = application().list_checkpoints(
        pair_of(router.current_event, subject, student), after=after, limit=limit
    )
    return CheckpointList(
        checkpoints=[
            CheckpointOut(
                length=listed.length,
                note=listed.note,
                consistency=None
                if listed.consistency is None
                else [base64.b64encode(step).decode() for step in listed.consistency],
            )
            for listed in page.checkpoints
        ],
        following=page.following,
        public_key=key_out(page.key),
    )


@router.get("/v1/subjects/<subject>/episodes/<episode_id>/proof", summary="Prove an episode", tags=["chain"])
def prove_episode(
    subject: Annotated[str, Path()], episode_id: Annotated[str, Path(max_length=128)], student: Student = None
) -> ProofOut:
    """The episode and all that an outsider needs to check that it was recorded so, against the newest checkpoint.

    409 ``not-checkpointed`` until the first night after it was recorded; 409 ``log-broken`` when the log is not
    what was signed, so that nothing of it can be proved.
    """
    proved = application().prove_episode(pair_of(router.current_event, subject, student), episode_id)
    episode = proved.episode
    return ProofOut(
        record=HashedRecordOut(**hashed_record(episode)),
        content=None
        if episode.content is None
        else CommittedOut(salt=episode.salt or "", record=committed_record(episode)),
        hash=episode.hash,
        proof=proof_text(proved.inclusion),
        public_key=key_out(proved.key),
    )


def key_out(key: PublicKey) -> PublicKeyOut:
    """The HTTP shape of a public key."""
    return PublicKeyOut(name=key.name, id=key.id, algorithm=key.algorithm, pem=key.pem)
