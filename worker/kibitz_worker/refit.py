"""Refitting the ratings: one writer reads finished sets and publishes snapshots.

Ratings are always fitted from the whole log of finished sets, so neither the order in which
results came in nor an annulled set leaves a trace. A snapshot holds leaderboard, crosstable and
all that is told beside them at the same moment; every page shows one snapshot and its number.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.leagues.twin_check import seasons_of_checks
from kibitz_worker.live import Live
from kibitz_worker.publishing.history import add_points, completed_rounds
from kibitz_worker.publishing.kept_sums import save
from kibitz_worker.publishing.ledgers import Ledgers
from kibitz_worker.publishing.line import anchor_of, owners_of, parents_of, twins_of
from kibitz_worker.publishing.results import Results, marks, read_results
from kibitz_worker.publishing.snapshots import Target, newest, thin
from kibitz_worker.ratings import Ratings, SetColumns, fit
from kibitz_worker.ratings.insights import compare_twins, insights
from kibitz_worker.store import Store
from kibitz_worker.store.models import Snapshot, Tournament, TournamentKind

LEAST_PAUSE = 2.0
PAUSE_PER_FIT = 20.0
"""A fit may take a twentieth of the time at most: the pause is so many times its length."""

Tournaments = dict[str, Tournament]

log = structlog.get_logger(__name__)


class Refit:
    """Keeps the results it has read and when each snapshot was made."""

    def __init__(self, store: Store, live: Live) -> None:
        self._store = store
        self._live = live
        self._results: dict[str, Results] = {}
        self._dirty: set[Target] = set()
        self._rounds: set[tuple[str, int]] = set()
        self._next: dict[Target, float] = {}
        self._first = True

    @property
    def behind(self) -> bool:
        """Whether a snapshot is due that was put off because the last one is so young."""
        return bool(self._dirty)

    def refresh(self, final: str | None = None) -> int:
        """Write the snapshots that are due; return how many.

        Those of the tournament `final`, and of pools in which a round has been completed, are due
        in any case.
        """
        with self._store.read() as session:
            tournaments = self._read_new(session)
        self._keep()
        count = 0
        now = time.monotonic()
        for target in sorted(self._dirty, key=lambda t: (t.pool, t.tournament or "")):
            must = final is not None and _concerns(target, tournaments[final])
            must = must or any(self._rounds_of(target, tournaments))
            if must or now >= self._next.get(target, 0.0):
                self._write(target, tournaments)
                count += 1
        return count

    def _keep(self) -> None:
        """Keep what was read in full, so that the next start need not read it again."""
        unkept = {key: each.unkept for key, each in self._results.items() if each.unkept}
        if not unkept:
            return
        with self._store.write() as session:
            for key, found in unkept.items():
                for chunk, mark, ledgers in found:
                    save(session, key, chunk, mark, ledgers)
                self._results[key].unkept = []

    def _read_new(self, session: Session) -> Tournaments:
        """Read the results of tournaments that have other ones than at the last look."""
        found = marks(session)
        tournaments = {t.id: t for t in session.scalars(select(Tournament))}
        for key in self._results.keys() - found.keys():  # its only sets were annulled
            self._changed(tournaments[key])
            del self._results[key]
        for key, mark in found.items():
            before = self._results.get(key)
            if before is not None and before.mark == mark:
                continue
            tournament = tournaments[key]
            self._results[key] = read_results(session, tournament, mark, before)
            self._changed(tournament)
            if tournament.rated:
                self._rounds |= {(key, number) for number in completed_rounds(session, key)}
        if self._first:
            self._dirty = {t for t in self._dirty if not self._published(session, t, tournaments)}
            self._first = False
        return tournaments

    def _changed(self, tournament: Tournament) -> None:
        if tournament.kind is not TournamentKind.TOURNAMENT:
            return
        self._dirty.add(Target(tournament.pool, tournament.id))
        if tournament.rated:
            self._dirty.add(Target(tournament.pool, None))

    def _published(self, session: Session, target: Target, tournaments: Tournaments) -> bool:
        """Tell whether the newest snapshot of a target has all its sets (after a restart)."""
        last = newest(session, target, 1)
        if any(self._rounds_of(target, tournaments)):
            return False
        return bool(last) and last[0].sets == sum(r.sets for r in self._of(target, tournaments))

    def _of(self, target: Target, tournaments: Tournaments) -> list[Results]:
        if target.tournament is not None:
            keys = [target.tournament]
        else:
            keys = [t.id for t in tournaments.values() if _concerns(target, t) and t.rated]
        return [self._results[key] for key in sorted(keys) if key in self._results]

    def _check_of(self, session: Session, target: Target) -> list[Results]:
        """All seasons of the standing check that a tournament belongs to."""
        for seasons in seasons_of_checks(session).values() if target.tournament else ():
            if target.tournament in seasons:
                return [self._results[key] for key in seasons if key in self._results]
        return []

    def _rounds_of(self, target: Target, tournaments: Tournaments) -> list[tuple[str, int]]:
        """Completed rounds that the history waits for, of a pool."""
        if target.tournament is not None:
            return []
        return sorted(each for each in self._rounds if tournaments[each[0]].pool == target.pool)

    def _write(self, target: Target, tournaments: Tournaments) -> None:
        results = self._of(target, tournaments)
        began = time.monotonic()
        with self._store.read() as session:
            ratings, payload = publication(session, results)
            if check := self._check_of(session, target):
                payload["insights"]["twins"] = compared(session, check)
        took = time.monotonic() - began
        example = next(t for t in tournaments.values() if t.pool == target.pool)
        rounds = self._rounds_of(target, tournaments)
        with self._store.write() as session:
            snapshot = Snapshot(
                game=example.game,
                pool=target.pool,
                options=example.options,
                tournament_id=target.tournament,
                created=self._store.now(session),
                sets=sum(each.sets for each in results),
                deals=sum(each.deals for each in results),
                payload=payload,
            )
            session.add(snapshot)
            session.flush()
            for key, number in rounds:
                add_points(session, tournaments[key], number, snapshot, ratings)
            thin(session, target)
        self._rounds -= set(rounds)
        self._dirty.discard(target)
        self._next[target] = time.monotonic() + max(LEAST_PAUSE, PAUSE_PER_FIT * took)
        log.debug("rated", pool=target.pool[:12], tournament=target.tournament, sets=snapshot.sets)
        self._live.publish(
            "snapshot", game=example.game, tournament=target.tournament, snapshot=snapshot.id
        )


def _concerns(target: Target, tournament: Tournament) -> bool:
    return target.tournament == tournament.id or (
        target.tournament is None and target.pool == tournament.pool
    )


def publication(session: Session, results: Sequence[Results]) -> tuple[Ratings, dict[str, Any]]:
    """Fit ratings to the results of some tournaments; return them and what a snapshot holds."""
    columns, labels = _together(results)
    ratings = rate(columns, labels)
    whole = Ledgers()
    for each in results:
        whole.add(each.ledgers)
    same = twins_of(session, labels)
    owners = owners_of(labels)
    beside = insights(columns, ratings, whole.tally, whole.boards, same, owners)
    return ratings, {**ratings.to_json(), "insights": beside}


def compared(session: Session, results: Sequence[Results]) -> list[dict[str, Any]]:
    """Compare players that are the same bot over the results of some tournaments together."""
    columns, labels = _together(results)
    return compare_twins(columns, rate(columns, labels), twins_of(session, labels))


def _together(results: Sequence[Results]) -> tuple[list[SetColumns], set[str]]:
    """Return the columns of some tournaments, and the labels of all who play in them."""
    columns = [columns for each in results for columns in each.columns]
    return columns, {name for each in results for name in each.names}


def rate(results: Sequence[SetColumns], labels: set[str]) -> Ratings:
    """Fit ratings; the newest version of `careful` among the players is the anchor.

    Versions start from the version before them, those among `labels` that have not played too.
    """
    return fit(results, anchor=anchor_of(labels), parents=parents_of(labels))
