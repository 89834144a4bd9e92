"""The states that rows pass through, as texts in the database."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import Enum


class BotKind(StrEnum):
    """How the processes of a bot come to be."""

    HOUSE = "house"
    SUBMITTED = "submitted"
    SELF_HOSTED = "self_hosted"


class VersionState(StrEnum):
    """Whether a version may play."""

    PENDING = "pending"
    ADMITTED = "admitted"
    REFUSED = "refused"
    QUARANTINED = "quarantined"


class TournamentState(StrEnum):
    """Where a tournament stands."""

    CREATED = "created"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class TournamentKind(StrEnum):
    """What a tournament is for; only TOURNAMENT is ever rated.

    An EXHIBITION is played to be looked at. A REMATCH plays one match again, with its cards and
    another version in one seat.
    """

    TOURNAMENT = "tournament"
    EXHIBITION = "exhibition"
    REMATCH = "rematch"


class SetState(StrEnum):
    """Where a set (or an admission) stands; VOID was never played, ANNULLED counts no more."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    VOID = "void"
    ANNULLED = "annulled"


class MatchState(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"
    DONE = "done"


class Outcome(StrEnum):
    """How an attempt ended; only DONE leaves a result behind."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    LOST = "lost"
    RELEASED = "released"


def texts(kind: type[StrEnum]) -> Enum:
    """Return the column type that stores `kind` by value, as text on every database."""
    return Enum(
        kind, native_enum=False, length=16, values_callable=lambda k: [str(member) for member in k]
    )
