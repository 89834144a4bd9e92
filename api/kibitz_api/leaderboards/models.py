"""Ratings as the API tells them."""

from datetime import datetime

from pydantic import BaseModel, Field


class LeaderboardRow(BaseModel):
    """One version's line. Elo intervals and margin intervals hold 95 %."""

    rank: int = Field(
        description="By the lower end of the interval, established versions before provisional."
    )
    rank_low: int | None = Field(
        description="The best rank that can be its true one, at 95 %; null in old snapshots."
    )
    rank_high: int | None = Field(description="The worst such rank.")
    bot: str = Field(description="Label of the bot: `careful`, or `owner/name`; page /bots/{bot}.")
    version: int = Field(description="Number of the version, counted from 1 for each bot.")
    version_id: int
    snapshot: int = Field(description="Number of the ratings that this line is from.")
    newest: bool = Field(description="No later version of the bot has been admitted.")
    elo: float
    elo_low: float
    elo_high: float
    margin: float = Field(description="Mean over deals of score minus the table's mean.")
    margin_low: float | None
    margin_high: float | None
    adjusted: float = Field(
        description="Points a deal above the average of the pool, allowing for the opponents."
    )
    adjusted_low: float | None
    adjusted_high: float | None
    inherited: bool = Field(
        description="Started from the version before it, which is still part of its Elo."
    )
    sets: int
    deals: int
    provisional: bool = Field(description="Too few sets for a firm interval.")
    pool: int = Field(description="0: the main group; others never met it and cannot be compared.")
    los: float | None = Field(
        description="Probability to be stronger than the next row; null: last."
    )


class Leaderboard(BaseModel):
    """What a snapshot of ratings covers."""

    game: str
    title: str
    pool: str = Field(description="Name of the game with its options; `?pool=` chooses it.")
    options: dict[str, object]
    main: bool = Field(
        description="The pool that /leaderboards/{game} shows unless told otherwise."
    )
    snapshot: int = Field(description="The same on every page and answer that shows these ratings.")
    created: datetime
    bots: int
    sets: int
    deals: int
    anchor: str
    anchor_elo: float
    notes: list[str]
