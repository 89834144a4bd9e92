"""The answer of ``GET /api/v1/matches/{id}/replay``: a finished match to be stepped through.

The addresses of the viewer use the same numbers: ``/matches/{id}/deals/{number}/{step}`` is the
deal with that ``number`` (as in the record: the first is 0) after ``step`` actions (0 = dealt,
nothing decided yet). ``?seat=S`` looks from seat S, ``&open=1`` lays all hands open.
"""

from typing import Literal

from pydantic import BaseModel, Field


class ReplayEvent(BaseModel):
    """One thing that happened, as ``kibitz.Event`` tells it, with the card or action as text."""

    what: str = Field(description="Name of the kind in `kibitz.What`: DEALT, PLAYED, WON, ...")
    place: int = Field(description="The place at the table that it concerns.")
    code: str | None = Field(description="Card or action code; null where the event has none.")
    detail: int = Field(description="The number behind `code`; -1 where the event has none.")
    to: int | None = Field(
        description="Seat that was told the code; null: everybody. Other seats saw `code` hidden."
    )


class ReplayStep(BaseModel):
    """The deal after one more action. Step 0 has no action: the cards were dealt."""

    step: int = Field(description="Actions taken so far in this deal.")
    seat: int | None = Field(description="Seat that decided the action of this step.")
    acted: int | None = Field(description="Place it decided for (differs from seat for a dummy).")
    action: str | None = Field(description="Code of the action; null at step 0.")
    events: list[ReplayEvent] = Field(description="What this action made happen, in order.")
    hands: list[list[str]] = Field(description="Per place: the cards held now, sorted (truth).")
    trick: list[tuple[int, str]] = Field(description="(place, card) on the table, led card first.")
    taken: list[int] = Field(description="Per place: tricks taken so far.")
    trump: str | None = Field(description="Trump suit letter, null while there is none.")
    turn: int | None = Field(description="Seat that decides next; null when the deal is over.")
    place: int | None = Field(description="Place whose card or call it then is.")
    legal: list[str] = Field(description="Codes of the legal actions of that decision.")
    comment: str | None = Field(default=None, description="What the bot said of its action.")
    policy: list[float] | None = Field(
        default=None,
        description="With which probability it chose each action of the step before's `legal`.",
    )


class ReplayForfeit(BaseModel):
    seat: int
    reason: str


class ReplayDeal(BaseModel):
    number: int
    dealer: int
    deck: list[str]
    cut: str | None
    steps: list[ReplayStep] = Field(description="steps[k] is the deal after k actions.")
    scores: list[float]
    forfeit: ReplayForfeit | None
    tricks: list[int] = Field(description="Steps at which a trick ended, for stepping by tricks.")


class ReplaySeat(BaseModel):
    seat: int
    name: str = Field(description="What the record calls the seat: `owner/bot/version`.")
    bot: str = Field(description="`owner/bot`; its page is /bots/{bot}.")
    version: int
    version_id: int


class ReplaySeating(BaseModel):
    """Another match of the same set: the same decks (of the half) under another seating."""

    match: str
    half: int
    lane: int
    same_decks: bool = Field(description="Plays the very decks of the match shown.")
    seats: list[str]
    returns: list[float] | None
    state: str


class Replay(BaseModel):
    format: Literal["kibitz-replay/1"] = "kibitz-replay/1"
    match: str
    set: str
    tournament: str
    game: str
    title: str = Field(description="The game's name for people.")
    options: dict[str, object]
    places: int = Field(description="Hands on the table: the seats, then open hands like a dummy.")
    seats: list[ReplaySeat]
    deals: list[ReplayDeal]
    totals: list[float]
    returns: list[float] | None
    seatings: list[ReplaySeating]
