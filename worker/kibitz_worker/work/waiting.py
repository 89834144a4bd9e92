"""Why the sets of a tournament wait: every wait has a reason that can be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from kibitz.amounts import amount
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz_worker.halls import Halls
from kibitz_worker.store.models import (
    BotKind,
    DealSet,
    Entrant,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
    Version,
    VersionState,
)
from kibitz_worker.work.filling import absent
from kibitz_worker.work.turns import IN_HAND, Seats
from kibitz_worker.work.workers import Crew, crew

LOOKED_AT = 500
"""Waiting sets that are looked at: where there are more, counts are of these."""

TURN = "WAITS_ITS_TURN"


@dataclass(frozen=True)
class Wait:
    """What some sets wait for: an UPPER_SNAKE `reason`, a sentence, and until when, if known.

    `sets` says how many, as far as was looked.
    """

    reason: str
    text: str
    sets: int = 0
    until: datetime | None = None


def waits(
    session: Session,
    now: datetime,
    tournament: Tournament,
    bot_jobs: int,
    halls: Halls | None = None,
) -> list[Wait]:
    """Return what a tournament waits for; nothing when it is over or all is being played.

    Without the `halls` it is not looked whether self-hosted bots are at one referee.
    """
    if tournament.state is TournamentState.CREATED:
        return [Wait("NOT_STARTED", "it has not been started")]
    if tournament.state is TournamentState.PAUSED:
        return [Wait("PAUSED", f"it is paused: {tournament.reason or 'no reason was given'}")]
    if tournament.state is not TournamentState.RUNNING:
        return []
    return list(_Looked(session, now, tournament, bot_jobs, halls).found())


class _Looked:
    """The waiting sets of a running tournament, each counted by the first thing it waits for."""

    def __init__(
        self,
        session: Session,
        now: datetime,
        tournament: Tournament,
        bot_jobs: int,
        halls: Halls | None,
    ) -> None:
        self._session = session
        self._now = now
        self._tournament = tournament
        self._hands: Crew = crew(session, now)
        self._entrants: Mapping[int, Entrant] = {one.number: one for one in tournament.entrants}
        self._absent = {one.number for one in absent(list(self._entrants.values()), now)}
        seats = Seats(session, bot_jobs)
        self._full = {n for n, one in self._entrants.items() if seats.full(one.version.bot_id)}
        self._bot_jobs = bot_jobs
        self._halls = halls

    def found(self) -> Iterator[Wait]:
        """Give the waits, what an operator can put right first."""
        rows = self._rows()
        yield from self._put_away()
        groups: dict[str, list[Any]] = {}
        for row in rows:
            groups.setdefault(self._reason(row), []).append(row)
        for reason in _ORDER:
            if reason in groups:
                yield self._wait(reason, groups[reason])

    def _rows(self) -> Sequence[Any]:
        query = (
            select(DealSet.job, DealSet.due, DealSet.reason, Pairing.entrants)
            .join(Pairing, Pairing.id == DealSet.pairing_id)
            .where(DealSet.tournament_id == self._tournament.id, DealSet.state == SetState.WAITING)
        )
        return self._session.execute(query.limit(LOOKED_AT)).all()

    def _put_away(self) -> Iterator[Wait]:
        for one in self._entrants.values():
            if one.version.state in {VersionState.QUARANTINED, VersionState.REFUSED}:
                why = f"{one.version.label} is {one.version.state}: {one.version.reason}"
                yield Wait(str(one.version.state).upper(), f"{why[:400]}; its sets are void")

    def _reason(self, row: Any) -> str:
        players = [self._entrants[number] for number in row.entrants]
        submitted = any(one.version.bot.kind is BotKind.SUBMITTED for one in players)
        checks = (
            ("NO_WORKER", not self._hands.all),
            ("NO_SANDBOX", submitted and not self._hands.sandboxed),
            ("BACK_OFF", row.due is not None and row.due > self._now),
            ("QUEUED", row.job is not None),
            ("BOTS_ABSENT", bool(self._absent.intersection(row.entrants))),
            ("BOTS_APART", self._apart(row.entrants)),
            ("BOT_LIMIT", bool(self._full.intersection(row.entrants))),
        )
        return next((reason for reason, holds in checks if holds), TURN)

    def _wait(self, reason: str, rows: list[Any]) -> Wait:
        until = None
        if reason == "BACK_OFF":
            until = min(row.due for row in rows)
        elif reason == "BOTS_ABSENT" and self._tournament.absence != "wait":
            until = self._deadline()
        return Wait(reason, self._text(reason, rows), len(rows), until)

    def _text(self, reason: str, rows: list[Any]) -> str:
        match reason:
            case "NO_WORKER":
                return "no worker is up"
            case "NO_SANDBOX":
                return no_sandbox(self._hands)
            case "BACK_OFF":
                return f"tries again soon after: {rows[0].reason or 'a failed attempt'}"[:500]
            case "QUEUED":
                return "in the queue for the next worker that is free"
            case "BOTS_ABSENT":
                return f"waits for {self._names(self._absent, rows)} to connect"
            case "BOTS_APART":
                return f"waits for bots to be at one referee: {self._where(rows[0])}"
            case "BOT_LIMIT":
                who, jobs = self._names(self._full, rows), f"{self._bot_jobs} at a time"
                return f"{who} plays in as many jobs as a bot may ({jobs}, KIBITZ_BOT_JOBS)"
        return self._turn()

    def _turn(self) -> str:
        count = func.count(DealSet.job.distinct())
        mine = self._session.scalar(
            select(count).where(*IN_HAND, DealSet.tournament_id == self._tournament.id)
        )
        all_ = self._session.scalar(select(count).where(*IN_HAND))
        others = (all_ or 0) - (mine or 0)
        jobs = f"{amount(all_ or 0, 'job')} {'is' if all_ == 1 else 'are'} under way or queued"
        told = f", {others} of other tournaments" if others else ""
        priority = self._tournament.priority
        weight = f" (priority {priority:+d})" if priority else ""
        return f"waits its turn: {jobs}{told}{weight}"

    def _guests(self, numbers: Sequence[int]) -> list[Version]:
        players = [self._entrants[number].version for number in numbers]
        return [version for version in players if version.bot.kind is BotKind.SELF_HOSTED]

    def _apart(self, numbers: Sequence[int]) -> bool:
        guests = self._guests(numbers)
        if not guests or self._halls is None:
            return False
        return self._halls.meeting((guest.id for guest in guests), "") is None

    def _where(self, row: Any) -> str:
        halls = self._halls or Halls()
        guests = self._guests(row.entrants)
        places = [f"{one.label} ({' and '.join(halls.of(one.id)) or 'nowhere'})" for one in guests]
        return ", ".join(places)[:400]

    def _names(self, numbers: set[int], rows: list[Any]) -> str:
        here = sorted({number for row in rows for number in row.entrants} & numbers)
        return ", ".join(self._entrants[number].version.label for number in here)[:400]

    def _deadline(self) -> datetime:
        began = self._tournament.started or self._tournament.created
        seen = (self._entrants[number].version.seen or began for number in self._absent)
        last = min(max(began, each) for each in seen)
        return last + timedelta(seconds=self._tournament.wait_seconds)


_ORDER = (
    "NO_WORKER",
    "NO_SANDBOX",
    "BOTS_ABSENT",
    "BOTS_APART",
    "BACK_OFF",
    "BOT_LIMIT",
    "QUEUED",
    TURN,
)


def no_sandbox(hands: Crew) -> str:
    """Say why submitted bots are not run here."""
    why = f" ({hands.reason})" if hands.reason else ""
    return (
        f"no worker has a sandbox for submitted bots{why}; install bubblewrap, or start the server "
        "with --trust when all bots are your own"
    )


def say_why_nothing_moves(
    session: Session, now: datetime, bot_jobs: int, halls: Halls | None = None
) -> None:
    """Write at each running tournament what it waits for, or that it waits for nothing."""
    query = select(Tournament).where(Tournament.state == TournamentState.RUNNING)
    for tournament in session.scalars(query):
        moves = session.scalar(
            select(DealSet.id).where(*IN_HAND, DealSet.tournament_id == tournament.id).limit(1)
        )
        found = [] if moves else waits(session, now, tournament, bot_jobs, halls)
        reason = found[0].text[:500] if found else None
        if tournament.reason != reason:
            tournament.reason = reason
