"""What stands in the form for a new tournament, read field by field.

Every field is text, so that a wrong one is shown again as it was entered, with a word beside it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

import kibitz
from kibitz import KibitzError
from kibitz_worker.errors import WorkerError
from kibitz_worker.store.clocks import DEFAULT_CLOCK, check_clock
from pydantic import BaseModel, Field, ValidationError

from kibitz_api.creating import FormKey
from kibitz_api.errors import ApiError
from kibitz_api.tournaments.models import TournamentRequest
from kibitz_api.tournaments.plans import check_count, read_format_options, read_options

Text = Annotated[str, Field(max_length=2_000)]
CLOCKS = {"bank": "bank_ms", "increment": "increment_ms", "cap": "cap_ms", "ready": "ready_ms"}

FIELD_OF = {
    "TOO_FEW_ENTRANTS": "entrants",
    "TOO_MANY_ENTRANTS": "entrants",
    "ENTRANT_TWICE": "entrants",
    "BOT_UNKNOWN": "entrants",
    "VERSION_UNKNOWN": "entrants",
    "VERSION_NOT_ADMITTED": "entrants",
    "GAME_NOT_PLAYED": "entrants",
    "SAME_OWNER": "apart",
    "PARTNERS_SELF_HOSTED": "rated",
    "FORMAT_UNKNOWN": "format",
    "FORMAT_GAME": "format",
    "FORMAT_OPTION": "format_options",
    "SETS_INVALID": "sets",
    "TOURNAMENT_TOO_LARGE": "sets",
    "TITLE_INVALID": "name",
    "POLICY_UNKNOWN": "policy",
    "CLOCK_INVALID": "bank",
    "PRIORITY_INVALID": "priority",
    "ABSENCE_INVALID": "wait_seconds",
    "NOT_DUPLICABLE": "options",
    "MATCH_TOO_LONG": "options",
}
"""Beside which field a refusal is shown; others stand above the form."""


class TournamentForm(BaseModel):
    """The form as the browser sends it; what is not ticked is missing."""

    game: Annotated[str, Field(max_length=40)]
    entrants: Annotated[list[Text], Field(max_length=500)] = []
    order: Text = ""
    format: Text = "round_robin"
    format_options: Text = ""
    sets: Text = "20"
    name: Text = ""
    preset: Text = ""
    options: Text = ""
    rated: bool = False
    exhibition: bool = False
    apart: bool = False
    policy: Text = "forfeit_deal"
    penalties: Text = ""
    bank: Text = ""
    increment: Text = ""
    cap: Text = ""
    ready: Text = ""
    untimed: bool = False
    priority: Text = "0"
    absence: Text = "wait"
    wait_seconds: Text = ""
    once: FormKey = ""
    action: Text = "preview"


@dataclass
class Reading:
    """The values of a form, and what is wrong with those that are not among them."""

    values: dict[str, Any] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)

    def take(self, name: str, read: Callable[[], object]) -> None:
        """Read one field; what it raises is kept beside its name."""
        try:
            self.values[name] = read()
        except (KibitzError, WorkerError, ApiError, ValueError) as error:
            self.wrong[name] = str(error)


def read(form: TournamentForm) -> TournamentRequest | dict[str, str]:
    """Return the tournament that a form asks for, or what is wrong by the names of its fields."""
    found = Reading({"game": form.game, "rated": form.rated, "exhibition": form.exhibition})
    found.take("entrants", lambda: _entrants(form))
    found.take("format_options", lambda: read_format_options(form.format, form.format_options))
    found.take("options", lambda: read_options(form.game, form.options))
    found.take("sets", lambda: _whole(form.sets, 1, 100_000))
    found.take("policy", lambda: _policy(form))
    found.take("priority", lambda: _whole(form.priority or "0", -5, 5))
    found.take("wait_seconds", lambda: _whole(form.wait_seconds or "0", 0, 2_592_000))
    clock = _clock(form, found)
    if found.wrong:
        return found.wrong
    try:
        return TournamentRequest(
            **found.values,
            clock=clock,
            name=form.name or None,
            preset=form.preset or None,
            format=form.format,
            one_owner=not form.apart,
            absence=form.absence,  # type: ignore[arg-type]
        )
    except ValidationError as error:
        return {str(fault["loc"][0]): fault["msg"] for fault in error.errors()}


def _entrants(form: TournamentForm) -> list[str]:
    """Those ticked, those named under order first and in that order."""
    first = form.order.replace(",", " ").split()
    rules = kibitz.game(form.game)
    for label in first:
        if label not in form.entrants:
            raise ValueError(f"{label[:80]!r} is named under order and not ticked")
    chosen = [*dict.fromkeys(first), *(label for label in form.entrants if label not in first)]
    check_count(rules.title, rules.players, len(chosen))
    return chosen


def _whole(text: str, least: int, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is no whole number; {least} to {most}") from None
    if not least <= value <= most:
        raise ValueError(f"{value} is out of bounds; {least} to {most}")
    return value


def _policy(form: TournamentForm) -> str:
    if form.policy != "substitute" or not form.penalties.strip():
        return form.policy
    return f"substitute:{_whole(form.penalties, 1, 1000)}"


def _clock(form: TournamentForm, found: Reading) -> dict[str, int | bool]:
    clock: dict[str, int | bool] = {"untimed": True} if form.untimed else {}
    for name, key in CLOCKS.items():
        text = getattr(form, name).strip()
        try:
            if text:
                clock[key] = check_clock({**DEFAULT_CLOCK, key: _milliseconds(text)})[key]
        except (ValueError, WorkerError) as error:
            found.wrong[name] = str(error)
    return clock


def _milliseconds(text: str) -> int:
    try:
        return round(1000 * float(text.replace(",", ".")))
    except (ValueError, OverflowError):
        raise ValueError(f"{text[:40]!r} is no number of seconds, as 2.5") from None
