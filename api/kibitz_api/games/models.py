"""The games as the API tells them."""

from pydantic import BaseModel, Field

from kibitz_api.leaderboards.insight_models import Luck


class GameOption(BaseModel):
    name: str
    default: object
    values: str = Field(description="What it can be, in words.")
    effect: str = Field(
        description="What it does, in Markdown; empty where nothing is written down."
    )


class MeasuredPosition(BaseModel):
    name: str = Field(description="0 deals, 1 sits after the dealer, and so on.")
    margin: float = Field(description="Points a deal above the table's mean.")
    low: float
    high: float


class MeasuredRole(BaseModel):
    name: str
    deals: int
    won: float = Field(description="Share of deals scored above the table's mean.")
    margin: float


class MeasuredPair(BaseModel):
    """Two of the bots: how far they are apart, and how many deals tell them apart at 95 %."""

    one: str
    two: str
    lead: float = Field(description="First's points a deal less the second's.")
    error: float = Field(description="Standard error of that.")
    deals: float | None = Field(
        description="Deals each in duplicate play; null: the difference may be luck."
    )


class MeasuredLuck(BaseModel):
    """How much of the game is luck among some bots, measured once (`bench/luck.py`)."""

    bots: list[str]
    sets: int
    deals: int
    luck: Luck | None
    pairs: list[MeasuredPair]
    positions: list[MeasuredPosition]
    roles: list[MeasuredRole]


class GameSummary(BaseModel):
    name: str = Field(description="The game's id in code, records and the API.")
    title: str
    seats: int
    places: int = Field(description="Hands on the table: the seats, then open hands like a dummy.")
    sides: int = Field(description="Who scores together: 2 in Whist, else every seat alone.")
    players: int = Field(description="Independent players that meet in a set.")
    matches_per_set: int = Field(description="Seatings that a duplicate set is played under.")
    summary: str
    rules: str = Field(description="Page with the rules.")
    presets: dict[str, dict[str, object]] = Field(description="Named bundles of options.")
    options: list[GameOption]
    measured: MeasuredLuck | None = Field(
        description="Luck in the game with its usual options among all shipped bots."
    )
    measured_alike: MeasuredLuck | None = Field(
        description="The same among bots that are much alike: `search` with few and more playouts."
    )
