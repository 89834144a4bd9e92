"""How the installation is, as probes and operators are told."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field


class Check(BaseModel):
    ok: bool
    required: bool = Field(description="The API is not ready while this one fails.")
    detail: str


class Readiness(BaseModel):
    ready: bool
    checks: dict[str, Check]


class WorkerAnswer(BaseModel):
    name: str
    sandbox: str = Field(description="Layer in which it runs submitted bots.")
    reason: str | None = Field(description="Why the layer is not stronger.")
    started: datetime
    seen: datetime
    alive: bool


class QueueAnswer(BaseModel):
    """Work that is due or under way, and how long nothing has moved."""

    sets_waiting: int
    sets_playing: int
    sets_void: int
    oldest_wait_seconds: float | None = Field(
        description="Since the last set finished, or the oldest running tournament with work began."
    )
    last_match: datetime | None = Field(description="When the last match finished.")
    admissions_waiting: int
    oldest_admission_seconds: float | None
    attempts_failed: int = Field(description="Failed attempts in the last 24 hours.")


class TwinAnswer(BaseModel):
    """One bot under two names: their ratings may not differ by more than luck."""

    game: str
    snapshot: int
    one: str
    two: str
    elo: float | None = Field(description="First's Elo less the second's; null: not comparable.")
    error: float | None = Field(description="Standard error of that difference.")
    p_value: float | None = Field(description="Chance of so much or more by luck.")
    alarm: bool = Field(
        description="Beyond luck at one in a thousand: in Elo, in points where they met, or in the "
        "company of the same other bots."
    )
    companies: int = Field(
        description="Third (and fourth) bots with whom each of the two sat without the other, "
        "often enough to be compared."
    )


class TwinCheckAnswer(BaseModel):
    """The standing check of a game: a league of the house in which one bot has two names."""

    game: str
    state: Literal["off", "waiting", "alike", "differ"] = Field(
        description="off: there is none; waiting: too little has been played to compare."
    )
    league: str | None
    playing: bool = Field(description="Whether a season is under way.")
    next: datetime | None = Field(description="When its next season begins.")
    sets: int = Field(description="Sets played in all of its seasons.")
    pairs: list[TwinAnswer]


class TradeAnswer(BaseModel):
    """Two bots that fare with one another unlike their results against all others let expect."""

    game: str
    pool: str
    snapshot: int
    one: str
    two: str
    kind: Literal["against", "together"] = Field(
        description="against: shares of the sets that both played; together: points a deal that "
        "both have above the table at tables of three and more."
    )
    same_owner: bool
    sets: int
    observed: float = Field(description="Share that the first won, or points a deal of both.")
    expected: float = Field(description="The same by all sets but their own.")
    p_value: float = Field(description="Chance of so much or more by luck, for this pair alone.")
    corrected: float = Field(description="The same allowing for all pairs looked at (Holm).")


class TradesAnswer(BaseModel):
    """Flagged pairs, for operators to look at; nobody is punished by them."""

    of_one_owner: int = Field(description="Comparisons made between bots of one owner.")
    of_others: int = Field(description="Comparisons made between other bots of users.")
    pairs: list[TradeAnswer]


class MachineAnswer(BaseModel):
    """What the workers of a machine came to in the last day, compared with all others."""

    name: str
    sets: int = Field(description="Attempts at sets that were finished or failed.")
    late: int = Field(description="Finished sets with a loss on time.")
    failed: int = Field(description="Attempts that failed.")
    p: float = Field(description="Chance of so many by luck (Fisher's exact test, one-sided).")
    suspect: bool


class HealthAnswer(BaseModel):
    readiness: Readiness
    version: str
    server_time: datetime
    workers: list[WorkerAnswer]
    queue: QueueAnswer
    viewers: int = Field(description="Live streams that this process feeds.")
    machines: list[MachineAnswer] = Field(description="Whether a machine spoils results.")
    twin_checks: list[TwinCheckAnswer] = Field(
        description="Standing checks that nobody is favoured, one a game."
    )
    twins: list[TwinAnswer] = Field(
        description="The same of rated tournaments in which both names of a bot played."
    )
    trades: TradesAnswer
    alarms: list[str] = Field(description="What an operator should look at, in words.")
