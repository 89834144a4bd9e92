"""The tables, one file a subject."""

from kibitz_worker.store.models.bots import Admission, Bot, Version
from kibitz_worker.store.models.leagues import (
    Division,
    League,
    LeagueState,
    Member,
    Moved,
    Placing,
    Season,
    SeasonDivision,
    SeasonState,
)
from kibitz_worker.store.models.lease import Leased
from kibitz_worker.store.models.matches import Attempt, DealSet, Match
from kibitz_worker.store.models.messages import SeatMessages
from kibitz_worker.store.models.points import RatingPoint
from kibitz_worker.store.models.states import (
    BotKind,
    MatchState,
    Outcome,
    SetState,
    TournamentKind,
    TournamentState,
    VersionState,
)
from kibitz_worker.store.models.table import Table
from kibitz_worker.store.models.tournaments import Entrant, Pairing, Tournament
from kibitz_worker.store.models.users import Token, User
from kibitz_worker.store.models.work import (
    Creation,
    Event,
    Meta,
    Outbox,
    Snapshot,
    WorkerProcess,
)

__all__ = [
    "Admission",
    "Attempt",
    "Bot",
    "BotKind",
    "Creation",
    "DealSet",
    "Division",
    "Entrant",
    "Event",
    "League",
    "LeagueState",
    "Leased",
    "Match",
    "MatchState",
    "Member",
    "Meta",
    "Moved",
    "Outbox",
    "Outcome",
    "Pairing",
    "Placing",
    "RatingPoint",
    "Season",
    "SeasonDivision",
    "SeasonState",
    "SeatMessages",
    "SetState",
    "Snapshot",
    "Table",
    "Token",
    "Tournament",
    "TournamentKind",
    "TournamentState",
    "User",
    "Version",
    "VersionState",
    "WorkerProcess",
]
