"""Make beliefs and the student's layer from the whole log anew: by today's rules, or without what was erased.

Reads the whole log and all belief rows, texts only of teachings and of checks without a topic.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from anamnesis.domain.beliefs.rederivation import Erased, Rederivation, rederive, replay
from anamnesis.domain.beliefs.revision import CheckResult, tied_result
from anamnesis.domain.concepts import StudentLayer, SubjectMap
from anamnesis.domain.concepts.routing import NameIndex
from anamnesis.domain.concepts.subject_map import resolved_keys
from anamnesis.domain.errors import RevisionMoved
from anamnesis.domain.identifiers import Pair
from anamnesis.domain.log.episodes import Episode, Kind
from anamnesis.domain.log.progress import Progress
from anamnesis.ports import Backoff, BeliefStore, ConceptStore, EpisodeLog
from anamnesis.service.map_cache import MapCache
from anamnesis.service.project_layer import names_of, project_layer
from anamnesis.service.tie_checks import concept_tested
from anamnesis.service.withheld import Withheld

#: Tries against others that project the same pair meanwhile; each begins from the log again.
MAX_TRIES = 8
#: Episodes whose whole texts are read at once; one may have a million characters. Ours.
TEXTS_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Derived:
    """What a log says by itself.

    Attributes
    ----------
    names
        Name by key of every concept that map and layer know, earlier keys included.
    checks
        Those that are tied to a concept, in the order of the log.
    """

    layer: StudentLayer
    names: dict[str, str]
    checks: tuple[CheckResult, ...]
    erased: Erased


@dataclass(frozen=True, slots=True)
class RederiveBeliefs:
    """The use case; call it with a pair."""

    log: EpisodeLog
    beliefs: BeliefStore
    concepts: ConceptStore
    maps: MapCache
    backoff: Backoff
    withheld: Withheld

    def __call__(self, pair: Pair) -> Rederivation:
        """Retire the current beliefs that today's rules would not make, and make those that they would (BE-4).

        Checks are tied to concepts anew by the names that map and student use today, teachings attach to what the map
        names today, and the knowledge-tracing model goes over all checks in the order of the log. No episode is
        touched. The same call again changes nothing, one that was cut is taken up by the next, and checks recorded
        later go on from what it made.

        Raises
        ------
        RevisionMoved
            If others kept projecting the same log meanwhile.
        """
        for attempt in range(1, MAX_TRIES):
            try:
                return self.once(pair, tie_anew=True)
            except RevisionMoved:
                self.backoff.pause(attempt)
        return self.once(pair, tie_anew=True)

    def once(self, pair: Pair, *, tie_anew: bool) -> Rederivation:
        """Make both anew as of the log's head, and store what differs.

        Parameters
        ----------
        tie_anew
            Whether to tie checks by today's names. Otherwise each keeps the concept that was recorded with it, unless
            they were tied anew before: what came of that is not undone.

        Raises
        ------
        RevisionMoved
            If another one has stored either of them since this one began.
        """
        believed = self.beliefs.projected_to(pair)
        layered = self.concepts.layer_position(pair)
        before = self.concepts.layer(pair)
        head = self.log.head(pair)
        tied_anew = believed.tied_anew or layered.tied_anew
        derived = derive(
            self.log,
            pair,
            head.length,
            subject_map=self.maps.load(pair.scope),
            before=before,
            tie_anew=tie_anew or tied_anew,
            withheld=self.withheld.positions(pair, head),
        )
        rows = self.beliefs.history(pair)
        plan = rederive(rows, replay(pair, derived.checks), names=derived.names, erased=derived.erased)
        differs = not plan.empty or derived.layer != before
        to = Progress(head.length, head.erasures, tied_anew=tied_anew or (tie_anew and differs))
        # Beliefs first: which names only an erased teaching gave is told by the layer from before.
        if to != believed or not plan.empty:
            self.beliefs.save(
                pair,
                inserted=plan.inserted,
                changed=plan.changed,
                removed=plan.removed,
                projected_to=to,
                expected=believed,
            )
        if to != layered or derived.layer != before:
            self.concepts.save_layer(pair, derived.layer, projected_to=to, expected=layered)
        return plan


def derive(
    log: EpisodeLog,
    pair: Pair,
    length: int,
    *,
    subject_map: SubjectMap,
    before: StudentLayer,
    tie_anew: bool,
    withheld: Collection[int] = (),
) -> Derived:
    """Read the first `length` episodes of a log into a layer and the results of its checks.

    Parameters
    ----------
    before
        The stored layer. The names that it has from teachings which are erased now are among ``Derived.erased``. What
        passed checks had confirmed in it stays confirmed under a name that is known no longer, unless that was such a
        name: a file may come back.
    tie_anew
        As for ``RederiveBeliefs.once``.
    withheld
        Positions that count as erased already.
    """
    taught: list[Episode] = []
    checks: list[Episode] = []
    gone: set[str] = set()
    for episode in log.scan(pair, limit=length, with_text=False):
        if episode.position > length:
            break
        if episode.content is None or episode.position in withheld:
            gone.add(episode.id)
        elif episode.kind is Kind.TAUGHT:
            taught.append(episode)
        elif episode.outcome is not None:
            checks.append(episode)
    layer = StudentLayer()
    for episodes in _with_texts(log, pair, taught):
        layer = project_layer(layer, episodes, subject_map)
    names = names_of(subject_map, layer)
    # A concept may have been recorded under a name that is another one's by now.
    names = {alias: names[key] for alias, key in resolved_keys(subject_map).items()} | names
    named_before = {
        key: name
        for key, name in before.own_concepts.items()
        if (notes := before.taught.get(key)) and notes[0].episode_id in gone
    }
    ties = (
        _tied_anew(log, pair, checks, NameIndex(subject_map, layer))
        if tie_anew
        else {e.id: e.outcome.concept for e in checks if e.outcome is not None}
    )
    results = tuple(_results(checks, ties, names))
    known = names.keys() | (before.confirmed - named_before.keys())
    confirmed = frozenset(result.concept for result in results if result.correct and result.concept in known)
    return Derived(replace(layer, confirmed=confirmed), names, results, Erased(gone, named_before))


def _tied_anew(
    log: EpisodeLog, pair: Pair, checks: Sequence[Episode], index: NameIndex
) -> dict[str, str | None]:
    """Concept by episode."""
    untitled = [e for e in checks if e.content is not None and e.content.topic is None]
    titled = [e for e in checks if e.content is not None and e.content.topic is not None]
    return {
        episode.id: concept_tested(episode.content, episode.language, index)
        for episodes in (titled, *_with_texts(log, pair, untitled))
        for episode in episodes
        if episode.content is not None
    }


def _results(
    checks: Iterable[Episode], ties: dict[str, str | None], names: dict[str, str]
) -> Iterator[CheckResult]:
    for episode in checks:
        check = tied_result(episode, ties.get(episode.id), names)
        if check is not None:
            yield check


def _with_texts(log: EpisodeLog, pair: Pair, episodes: Sequence[Episode]) -> Iterator[list[Episode]]:
    """The same episodes with their whole texts, some at a time."""
    left = iter(episodes)
    while some := list(islice(left, TEXTS_AT_ONCE)):
        yield log.read(pair, [episode.position for episode in some])
