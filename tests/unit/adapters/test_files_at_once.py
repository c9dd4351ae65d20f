"""Many students' files in one subject at the same time, in threads of their own on DynamoDB and S3."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from anamnesis.domain.errors import Busy, NotFound, RevisionMoved
from anamnesis.domain.identifiers import Pair
from contracts.file_races import Scene
from support.aws_stores import AwsStores

STUDENTS = 4
FILES_EACH = 3
#: Times that S3 or its dead letters bring an event again.
TRIES = 6


def test_uploads_and_deletions_at_once_lose_nothing(aws: AwsStores) -> None:
    """Twelve files of four students read twice each while four are deleted leave exactly the other eight (CM-8)."""
    scene = Scene(aws.concept_store)
    scope, memory = scene.pair.scope, scene.memory
    acts, kept, gone = [], set(), set()
    for number in range(STUDENTS * FILES_EACH):
        pair = Pair(scope.tenant, f"student {number % STUDENTS}", scope.subject)
        text = f"Shared < Own {number}: All say this.\nOwn {number}: Only file {number} says this.".encode()
        file_id, key = memory.upload(text, name=f"{number}.txt", pair=pair)
        acts += [partial(memory.read_file, key)] * 2
        if number < STUDENTS:
            acts.append(partial(scene.delete, file_id))
            gone.add(file_id)
        else:
            kept.add(f"own {number}")
    random.Random(7).shuffle(acts)

    def until_done(act: partial[object]) -> None:
        for _ in range(TRIES):
            try:
                act()
            except (Busy, RevisionMoved):
                continue
            except NotFound:
                return
            return
        raise AssertionError("never got its turn")

    with ThreadPoolExecutor(max_workers=8) as threads:
        list(threads.map(until_done, acts))
    assert scene.keys() == kept | {"shared"}
    published = scene.store.load_map(scope)
    assert published.revision == scene.store.revision(scope)
    shared = next(each for each in published.concepts if each.key == "shared")
    assert set(shared.builds_on) == kept
    assert {record.id for record in scene.store.files(scope) if not record.current} == gone
