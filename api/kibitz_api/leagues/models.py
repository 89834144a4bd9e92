"""Leagues as the API tells and takes them."""

from datetime import datetime
from typing import Annotated, Literal

from kibitz_worker.leagues.founding import FORMATS_OF_LEAGUES
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from kibitz_api.tournaments.models import Label, LogEntry, Preview

Word = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)]


class LeagueSummary(BaseModel):
    id: str
    name: str
    game: str
    title: str = Field(description="The game's name for people.")
    state: str = Field(description="running, paused or ended.")
    reason: str | None = Field(description="Why it stands where it stands.")
    owner: str
    divisions: int
    bots: int = Field(description="In divisions and on the waiting list.")
    season: int = Field(description="Number of the latest season, 0 before the first.")
    season_state: str | None = Field(description="preparing, running or closed.")
    due: datetime | None = Field(description="When the next season begins.")
    cron: str | None
    time_zone: str
    created: datetime
    url: str = Field(description="Path of its page.")


class MemberAnswer(BaseModel):
    """A bot in a league, with what it has done in the season under way."""

    place: int = Field(description="In its division, or on the waiting list; from 1.")
    bot: str = Field(description="Label of the bot; page /bots/{bot}.")
    version: int | None = Field(description="The version it plays as; null when none may play.")
    newest: bool = Field(description="It always plays as its newest version.")
    zone: str | None = Field(
        description="up or down: where this place leads; null between seasons."
    )
    leaves: bool = Field(description="It has left, and plays the season to its end.")
    share: float | None = Field(description="Share of the opponents beaten, 0 to 1.")
    margin: float | None = Field(description="Mean margin a deal.")
    sets: int


class DivisionAnswer(BaseModel):
    number: int = Field(description="From 1, the highest.")
    name: str
    size: int
    up: int = Field(description="How many go up to the division above.")
    down: int = Field(description="How many go down to the division below.")
    tournament: str | None = Field(description="Its tournament in the season under way.")
    reason: str | None = Field(description="Why it is not played in the season under way.")
    sets_done: int
    sets_total: int
    bots: list[MemberAnswer]


class SeasonSummary(BaseModel):
    number: int
    state: str = Field(description="preparing, running or closed.")
    reason: str | None = Field(description="Why it was closed early.")
    due: datetime
    made: datetime
    closed: datetime | None
    winner: str | None = Field(description="Label of the bot that won the first division.")


class PlacingAnswer(BaseModel):
    """What a season came to for a bot; nothing of a closed season ever changes."""

    rank: int | None
    seed: int = Field(description="Where it began in its division, from 1.")
    bot: str
    version: int | None
    share: float | None
    margin: float | None
    sets: int
    moved: str | None = Field(description="up, down, stayed or out.")
    reason: str | None


class SeasonDivisionAnswer(BaseModel):
    number: int
    name: str
    tournament: str | None
    reason: str | None = Field(description="Why it was not played.")
    placings: list[PlacingAnswer]


class SeasonAnswer(SeasonSummary):
    divisions: list[SeasonDivisionAnswer]


class LeagueAnswer(LeagueSummary):
    options: dict[str, object]
    format: str
    format_options: dict[str, object]
    sets_per_pairing: int
    rated: bool
    one_owner: bool
    priority: int
    absence: str
    wait_seconds: int
    starts: datetime
    seasons: int | None = Field(description="How many seasons there will be; null for no end.")
    late: str = Field(description="A season that is not over at the next date: wait or close.")
    joining: str = Field(description="Who brings bots: anybody or organiser.")
    newcomers: str = Field(description="Where they come in: lowest or rating.")
    dates: list[datetime] = Field(description="The next dates.")
    tables: list[DivisionAnswer]
    waiting: list[MemberAnswer] = Field(description="Bots that wait for a place.")
    log: list[LogEntry] = Field(description="What was decided, and why; the latest first.")


class DivisionRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    size: int = Field(description="How many bots it holds.")
    movers: int = Field(0, description="How many change places with the division below.")
    name: Word = ""


class CalendarRequest(BaseModel):
    """When seasons begin; what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    cron: Annotated[
        str | None,
        Field(description="Five fields; null: each season follows the one before it."),
    ] = None
    time_zone: Annotated[str, Field(description="Such as UTC or Europe/Rome.")] = "UTC"
    seasons: Annotated[int | None, Field(description="How many; null for no end.")] = None
    late: Annotated[
        Literal["wait", "close"],
        Field(description="A season that is not over at the next date is waited for, or closed."),
    ] = "wait"


class LeagueRequest(CalendarRequest):
    """A league to be founded."""

    name: Word
    game: Annotated[str, StringConstraints(max_length=40)]
    divisions: list[DivisionRequest] = Field(description="The highest first.")
    bots: Annotated[
        list[Label],
        Field(max_length=1000, description="Bots to begin with, the highest first."),
    ] = []
    sets: int = Field(10, description="Duplicate sets for every pairing.")
    options: dict[str, object] = Field(default_factory=dict)
    preset: Annotated[str, StringConstraints(max_length=40)] | None = None
    format: Annotated[
        str,
        StringConstraints(max_length=40),
        Field(description=f"One of {', '.join(FORMATS_OF_LEAGUES)}."),
    ] = "round_robin"
    format_options: dict[str, object] = Field(default_factory=dict)
    rated: bool = True
    one_owner: Annotated[
        bool, Field(description="Bots of one owner may meet; else one bot an owner.")
    ] = True
    priority: int = 0
    absence: Literal["wait", "void", "forfeit"] = "wait"
    wait_seconds: int = 0
    starts: Annotated[
        datetime | None,
        Field(description="No season before; without an offset in the time zone; default now."),
    ] = None
    joining: Literal["anybody", "organiser"] = "anybody"
    newcomers: Literal["lowest", "rating"] = "lowest"


class BotRequest(BaseModel):
    """A bot that joins or leaves."""

    model_config = ConfigDict(extra="forbid")

    bot: Label = Field(
        description="`ana/heart` plays as its newest version, `ana/heart/3` as that one."
    )


class DivisionPreview(Preview):
    name: str
    size: int


class LeaguePreview(BaseModel):
    """What a season of a league would come to."""

    divisions: list[DivisionPreview] = Field(description="Each when it is full.")
    sets: int
    matches: int
    deals: int
    seconds: float | None = Field(
        description="How long a season takes, by past sets; null when there are none."
    )
    dates: list[datetime] = Field(description="The first dates.")
    bots: list[int] = Field(description="How many bots each division begins with.")
    waiting: int = Field(description="How many bots would wait for a place.")
