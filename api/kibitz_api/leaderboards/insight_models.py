"""What the API tells beside the ratings: parts, luck, other orders, circles."""

from pydantic import BaseModel, Field


class PartLine(BaseModel):
    """Results in one part; means are per deal, their intervals hold 95 % (null: a single set)."""

    player: str = Field(description="Label of the version; empty for everybody together.")
    bot: str = Field(description="Label of the bot; empty for everybody together.")
    version: int | None
    name: str = Field(
        description="declarer, ally, defender, soloist or partner; or a position: 0 deals, 1 sits "
        "after the dealer, and so on (of two sides: 0 is the dealer's)."
    )
    sets: int
    deals: int
    score: float
    margin: float = Field(description="Score minus the table's mean.")
    margin_low: float | None
    margin_high: float | None
    won: float = Field(description="Share of deals scored above the table's mean.")
    won_low: float | None
    won_high: float | None


class Luck(BaseModel):
    """Where a deal's score comes from: variances in points squared, and what follows."""

    players: int
    boards: int = Field(description="Decks that were played in all seatings of an order.")
    cards: float = Field(description="Luck of the cards of a seat; duplicate play takes it away.")
    rest: float = Field(description="The rest of luck.")
    bot: float = Field(description="How much bots differ.")
    bot_by_bot: float | None = Field(description="How much that depends on whom they meet.")
    luck: float = Field(description="Share of luck in a single deal's score.")
    rho: float = Field(description="Share of luck that duplicate play takes away.")
    factor: float | None = Field(description="1 / (1 - rho): times as many deals without it.")
    typical: float = Field(description="Usual difference of two of these bots, points a deal.")
    deals_typical: float | None = Field(description="Deals each to tell two such apart at 95 %.")
    deals_typical_alone: float | None = Field(description="The same without duplicate play.")


class OrderPlace(BaseModel):
    player: str
    rank: int
    bankroll: float | None = Field(
        description="Mean margin a deal over the opponents (in a run-off: those left)."
    )


class Circle(BaseModel):
    """Each beats the next and the last the first, beyond luck."""

    players: list[str]
    margins: list[float]


class Circles(BaseModel):
    count: int
    clearest: list[Circle]
    proven_pairs: int = Field(description="Pairs with a proven direction (Holm, 5 % together).")
    pairs: int


class WholeOrder(BaseModel):
    """A second fit, to whole orders of finish (Plackett-Luce)."""

    player: str
    elo: float
    error: float
    z: float | None = Field(description="How many of its errors it lies off the published Elo.")


class Twin(BaseModel):
    """Two names of the same bot, which should not differ."""

    one: str
    two: str
    alarm: bool
    elo: float | None = None
    error: float | None = None
    p_value: float | None = None
    margin: float | None = None
    margin_p_value: float | None = None
    reason: str | None = Field(default=None, description="Why they cannot be compared.")


class Insights(BaseModel):
    """Told at the same moment and from the same sets as the ratings of the snapshot."""

    snapshot: int
    game: str
    pool: str
    roles: list[PartLine]
    positions: list[PartLine]
    luck: Luck | None
    bankroll: list[OrderPlace]
    run_off: list[OrderPlace]
    cycles: Circles | None
    plackett_luce: list[WholeOrder] | None
    twins: list[Twin]
