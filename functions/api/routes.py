"""Every module with routes, in the order of the served description."""

from __future__ import annotations

from api import (
    answers,
    beliefs,
    chain,
    connectors,
    episodes,
    erasure,
    export,
    files,
    grounding,
    nights,
    report,
    service_routes,
    subject_map,
    subjects,
    wiki,
    wiki_finding,
    wiki_git,
    wiki_writes,
)
from read_block import routes as block
from start_answer import routes as ask

#: API Gateway sends the block's route and the tutor's to functions of their own; here they complete the served OpenAPI
#: document.
MODULES = (
    block,
    ask,
    answers,
    subjects,
    episodes,
    files,
    subject_map,
    beliefs,
    chain,
    grounding,
    nights,
    report,
    wiki,
    wiki_finding,
    wiki_git,
    wiki_writes,
    connectors,
    export,
    erasure,
    service_routes,
)
