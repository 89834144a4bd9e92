"""The games as the API tells them."""

from pydantic import BaseModel, Field


class GameOption(BaseModel):
    name: str
    default: object
    values: str = Field(description="What it can be, in words.")
    effect: str = Field(
        description="What it does, in Markdown; empty where nothing is written down."
    )


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
