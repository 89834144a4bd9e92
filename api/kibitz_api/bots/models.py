"""Bots as the API tells them."""

from datetime import datetime

from pydantic import BaseModel, Field


class VersionSummary(BaseModel):
    id: int
    number: int
    state: str = Field(description="pending, admitted, refused or quarantined.")
    reason: str | None = Field(description="Why it was refused or taken out.")
    games: list[str]
    content_hash: str
    created: datetime
    admitted: datetime | None = Field(description="Plays since then.")
    seen: datetime | None = Field(description="When a self-hosted version was last connected.")


class BotSummary(BaseModel):
    id: int
    bot: str = Field(description="Label: `careful`, or `owner/name`; page /bots/{bot}.")
    name: str = Field(description="The name alone.")
    owner: str
    kind: str = Field(description="house, submitted or self_hosted.")
    description: str
    created: datetime
    versions: int
    newest: VersionSummary | None = Field(description="The version that plays: newest admitted.")
    latest_state: str | None = Field(description="State of the latest version.")


class BotRating(BaseModel):
    """A version's line in the newest snapshot of a pool."""

    game: str
    title: str
    pool: str
    main: bool
    snapshot: int
    version: int
    rank: int
    elo: float
    elo_low: float
    elo_high: float
    margin: float
    sets: int
    deals: int
    provisional: bool


class HeadToHead(BaseModel):
    """How a version did against another one in a pool."""

    game: str
    title: str
    snapshot: int
    version: int
    opponent: str
    opponent_version: int
    sets: int
    deals: int
    share: float
    margin: float
    p_value: float | None
    significant: bool


class RecentMatch(BaseModel):
    """A finished match, as a list shows it."""

    id: str
    set: str
    tournament: str
    tournament_name: str
    kind: str = Field(description="tournament, exhibition or rematch; only the first is rated.")
    game: str
    title: str
    seats: list[str] = Field(description="Label of the version at each seat.")
    returns: list[float] | None
    forfeits: int
    finished: datetime | None
    open: bool = Field(description="Every seating of its decks is over, so it can be replayed.")


class BotLeague(BaseModel):
    """A league that a bot is in."""

    league: str = Field(description="Id; page /leagues/{league}.")
    name: str
    game: str
    state: str
    division: str | None = Field(description="Null while it waits for a place.")
    place: int | None = Field(description="In its division at the season's start, from 1.")


class BotAnswer(BotSummary):
    leagues: list[BotLeague]
    all_versions: list[VersionSummary]
    ratings: list[BotRating]
    head_to_head: list[HeadToHead]
    recent: list[RecentMatch]
