"""Matches and sets as the API tells them."""

from datetime import datetime

from pydantic import BaseModel, Field


class MatchSeat(BaseModel):
    seat: int
    bot: str = Field(description="Label of the bot; page /bots/{bot}.")
    version: int
    version_id: int
    player: int = Field(description="Its place among the players of the set.")


class Forfeit(BaseModel):
    deal: int
    seat: int
    reason: str = Field(description="ILLEGAL_ACTION, TIMEOUT, STALL, CRASH, DISCONNECT or RESIGN.")
    limit_ms: int | None = Field(default=None, description="The limit that held; null: none.")
    used_ms: int | None = Field(default=None, description="How much of it was charged.")
    lag_ms: int | None = Field(default=None, description="The referee's own delay, not charged.")
    said_ms: int | None = Field(
        default=None,
        description="How long the bot says it worked on the answers that were late, or on its last"
        " ones if none came; null: it does not say, or was not late.",
    )
    latency_ms: int | None = Field(
        default=None, description="How much more was measured for these answers: lost on the way."
    )


class MatchSummary(BaseModel):
    """One seating of a set."""

    id: str
    half: int = Field(description="Part of the set with decks of its own.")
    lane: int
    state: str
    seats: list[MatchSeat]
    returns: list[float] | None = Field(description="Zero-sum result by seat.")
    totals: list[float] | None = Field(description="Scores added up, by seat.")
    forfeits: list[Forfeit]
    finished: datetime | None
    open: bool = Field(description="Every seating of its decks is over: record and replay are out.")


class SetPlayer(BaseModel):
    player: int
    bot: str
    version: int
    version_id: int
    score: float | None = Field(description="Returns added over the set.")
    margin: float | None = Field(description="Mean over the deals of score minus table mean.")


class AttemptAnswer(BaseModel):
    number: int
    worker: str
    started: datetime
    ended: datetime | None
    outcome: str
    reason: str | None


class SetAnswer(BaseModel):
    id: str
    number: int
    tournament: str
    tournament_name: str
    game: str
    title: str
    options: dict[str, object]
    state: str
    reason: str | None
    deals: int = Field(description="Deals that each player has played in the set.")
    finished: datetime | None
    players: list[SetPlayer]
    matches: list[MatchSummary]
    attempts: list[AttemptAnswer]


class MatchAnswer(MatchSummary):
    set: str
    tournament: str
    tournament_name: str
    game: str
    title: str
    options: dict[str, object]
    record_hash: str | None = Field(description="SHA-256 of the record's text.")
    seatings: list[MatchSummary] = Field(description="All matches of the set, this one included.")
