"""Refitting the ratings: one writer reads finished sets and publishes snapshots.

Ratings are always fitted from the whole log of finished sets, so neither the order in which
results came in nor an annulled set leaves a trace. A snapshot holds leaderboard and crosstable of
the same moment; every page shows one snapshot and its number.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session, defer

from kibitz_worker.live import Live
from kibitz_worker.ratings import Ratings, SetColumns, SetResult, fit, gather
from kibitz_worker.store import Store
from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Pairing,
    SetState,
    Snapshot,
    Tournament,
)

ANCHOR = "careful"
LEAST_PAUSE = 2.0
PAUSE_PER_FIT = 20.0
"""A fit may take a twentieth of the time at most: the pause is so many times its length."""

SPACING = timedelta(seconds=60)
"""Older snapshots are thinned out to this distance; the newest always stays."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Target:
    """What a snapshot is about: a rating pool, or one tournament."""

    pool: str
    tournament: str | None


class Refit:
    """Keeps the results it has read and when each snapshot was made."""

    def __init__(self, store: Store, live: Live) -> None:
        self._store = store
        self._live = live
        self._results: dict[str, list[SetColumns]] = {}  # less memory than single sets
        self._dirty: set[Target] = set()
        self._next: dict[Target, float] = {}

    @property
    def behind(self) -> bool:
        """Whether a snapshot is due that was put off because the last one is so young."""
        return bool(self._dirty)

    def refresh(self, final: str | None = None) -> int:
        """Write the snapshots that are due; those of the tournament `final` in any case."""
        with self._store.read() as session:
            tournaments = self._read_new(session)
        count = 0
        now = time.monotonic()
        for target in sorted(self._dirty, key=lambda t: (t.pool, t.tournament or "")):
            ends = final is not None and self._concerns(target, tournaments[final])
            if ends or now >= self._next.get(target, 0.0):
                self._write(target, tournaments)
                count += 1
        return count

    def _concerns(self, target: Target, tournament: Tournament) -> bool:
        return target.tournament == tournament.id or (
            target.tournament is None and target.pool == tournament.pool
        )

    def _read_new(self, session: Session) -> dict[str, Tournament]:
        """Read the results of tournaments that have more of them than at the last look."""
        counts = dict(
            session.execute(
                select(DealSet.tournament_id, func.count())
                .where(DealSet.state == SetState.DONE)
                .group_by(DealSet.tournament_id)
            ).all()
        )
        tournaments = {t.id: t for t in session.scalars(select(Tournament))}
        first = not self._results
        for key, count in counts.items():
            if count == _size(self._results.get(key, ())):
                continue
            tournament = tournaments[key]
            self._results[key] = results_of(session, tournament)
            self._dirty.add(Target(tournament.pool, key))
            if tournament.rated:
                self._dirty.add(Target(tournament.pool, None))
        if first:
            self._dirty = {t for t in self._dirty if not self._published(session, t, tournaments)}
        return tournaments

    def _published(
        self, session: Session, target: Target, tournaments: dict[str, Tournament]
    ) -> bool:
        """Tell whether the newest snapshot of a target has all its sets (after a restart)."""
        newest = _newest(session, target, 1)
        return bool(newest) and newest[0].sets == _size(self._of(target, tournaments))

    def _of(self, target: Target, tournaments: dict[str, Tournament]) -> list[SetColumns]:
        if target.tournament is not None:
            return self._results.get(target.tournament, [])
        keys = [
            key
            for key, tournament in tournaments.items()
            if tournament.pool == target.pool and tournament.rated
        ]
        return [result for key in sorted(keys) for result in self._results.get(key, [])]

    def _write(self, target: Target, tournaments: dict[str, Tournament]) -> None:
        results = self._of(target, tournaments)
        began = time.monotonic()
        ratings = rate(results)
        took = time.monotonic() - began
        example = next(t for t in tournaments.values() if t.pool == target.pool)
        with self._store.write() as session:
            snapshot = Snapshot(
                game=example.game,
                pool=target.pool,
                options=example.options,
                tournament_id=target.tournament,
                created=self._store.now(session),
                sets=_size(results),
                deals=sum(int(columns.deals.sum()) for columns in results),
                payload=ratings.to_json(),
            )
            session.add(snapshot)
            session.flush()
            _thin(session, target)
        self._dirty.discard(target)
        self._next[target] = time.monotonic() + max(LEAST_PAUSE, PAUSE_PER_FIT * took)
        log.debug("rated", pool=target.pool[:12], tournament=target.tournament, sets=_size(results))
        self._live.publish(
            "snapshot", game=example.game, tournament=target.tournament, snapshot=snapshot.id
        )


def _size(results: Iterable[SetColumns]) -> int:
    return sum(len(columns) for columns in results)


def rate(results: Sequence[SetColumns]) -> Ratings:
    """Fit ratings; the newest version of the bot `careful` among the players is the anchor."""
    players = {player for columns in results for player in columns.names}
    versions = [player for player in players if player.rpartition("/")[0] == ANCHOR]
    anchor = max(versions, key=lambda label: int(label.rpartition("/")[2]), default=f"{ANCHOR}/1")
    return fit(results, anchor=anchor)


def results_of(session: Session, tournament: Tournament) -> list[SetColumns]:
    """Return the finished sets of a tournament, players named by the labels of their versions."""
    entrants = session.scalars(select(Entrant).where(Entrant.tournament_id == tournament.id))
    labels = {entrant.number: entrant.version.label for entrant in entrants}
    query = (
        select(DealSet.id, DealSet.scores, DealSet.margins, DealSet.deals, Pairing.entrants)
        .join(Pairing, Pairing.id == DealSet.pairing_id)
        .where(DealSet.tournament_id == tournament.id, DealSet.state == SetState.DONE)
        .order_by(DealSet.number)
    )
    return gather(
        SetResult(
            id=key,
            players=tuple(labels[number] for number in players),
            scores=tuple(scores or ()),
            deals=deals,
            margins=tuple(margins or ()),
        )
        for key, scores, margins, deals, players in session.execute(query)
    )


def _newest(session: Session, target: Target, count: int) -> list[Snapshot]:
    query = select(Snapshot).where(Snapshot.pool == target.pool)
    if target.tournament is None:
        query = query.where(Snapshot.tournament_id.is_(None))
    else:
        query = query.where(Snapshot.tournament_id == target.tournament)
    query = query.order_by(Snapshot.id.desc()).limit(count).options(defer(Snapshot.payload))
    return list(session.scalars(query))


def _thin(session: Session, target: Target) -> None:
    """Drop the last but one snapshot when it came too soon after the one before it."""
    newest = _newest(session, target, 3)
    if len(newest) == 3 and newest[1].created - newest[2].created < SPACING:
        session.delete(newest[1])
