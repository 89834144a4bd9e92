"""What a tournament would come to, before it is created."""

from dataclasses import dataclass

import kibitz
from kibitz import OptionError
from kibitz_worker.schedule import round_robin

from kibitz_api.errors import InvalidRequestError


@dataclass(frozen=True)
class Plan:
    """How much there would be to play."""

    pairings: int
    sets: int
    matches: int
    deals: int
    deals_a_match: int
    options: dict[str, object]


def plan(
    game: str, entrants: int, sets: int, options: dict[str, object], preset: str | None
) -> Plan:
    """Work out the size of a round robin.

    Raises kibitz.OptionError for options that cannot be, InvalidRequestError for too few entrants.
    """
    rules = kibitz.game(game, preset=preset, **options)
    seatings = kibitz.seatings(rules)
    if entrants < rules.players:
        raise InvalidRequestError(
            "TOO_FEW_ENTRANTS",
            f"{rules.title} needs at least {rules.players} entrants; {entrants} are chosen.",
            where="entrants",
        )
    pairings = len(round_robin(entrants, rules.players))
    deals = rules.goal[1]
    matches = pairings * sets * len(seatings)
    return Plan(pairings, pairings * sets, matches, matches * deals, deals, rules.options())


def read_options(game: str, text: str) -> dict[str, object]:
    """Options written as `key=value key=value`, with the types that the game's options have.

    Raises kibitz.OptionError naming the part that cannot be read.
    """
    known = kibitz.game(game).options()
    found: dict[str, object] = {}
    for part in text.replace(";", " ").split():
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise OptionError(f"{part[:60]!r} is not of the form key=value", option=key[:60])
        found[key] = _typed(known.get(key), value)
    return found


def _typed(default: object, value: str) -> object:
    if isinstance(default, bool) and value in {"true", "false"}:
        return value == "true"
    if isinstance(default, int) and value.isdecimal() and len(value) < 19:
        return int(value)
    if isinstance(default, list):
        return value.strip("[]").split(",")
    return value
