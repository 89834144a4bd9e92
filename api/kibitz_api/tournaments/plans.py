"""What a tournament would come to, before it is created."""

from dataclasses import dataclass

import kibitz
from kibitz import OptionError
from kibitz.options import unknown
from kibitz_worker.schedule import round_robin

from kibitz_api.errors import InvalidRequestError
from kibitz_api.games.queries import title


@dataclass(frozen=True)
class Plan:
    """How much there would be to play."""

    pairings: int
    sets: int
    matches: int
    deals: int
    deals_a_match: int
    options: dict[str, object]


DEALS_A_MATCH_MAX = 1_000
DEALS_MAX = 20_000_000


def plan(
    game: str, entrants: int, sets: int, options: dict[str, object], preset: str | None
) -> Plan:
    """Work out the size of a round robin.

    Raises kibitz.OptionError for options that cannot be, InvalidRequestError for too few entrants
    (TOO_FEW_ENTRANTS) and for more than can sensibly be played (MATCH_TOO_LONG,
    TOURNAMENT_TOO_LARGE).
    """
    if "preset" in options:
        raise OptionError("a preset is no option; name it in its own field", option="preset")
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
    _check_size(deals, matches)
    return Plan(pairings, pairings * sets, matches, matches * deals, deals, rules.options())


def _check_size(deals: int, matches: int) -> None:
    if deals > DEALS_A_MATCH_MAX:
        raise InvalidRequestError(
            "MATCH_TOO_LONG",
            f"A match of {deals} deals is too long; {DEALS_A_MATCH_MAX} at most, "
            "and more sets instead.",
            where="options.end",
        )
    if matches * deals > DEALS_MAX:
        raise InvalidRequestError(
            "TOURNAMENT_TOO_LARGE",
            f"{matches} matches of {deals} deals are more than {DEALS_MAX} deals; "
            "use fewer sets or entrants.",
            where="sets",
        )


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
        if key not in known:
            raise unknown("option", key, list(known), of=title(game))
        found[key] = _typed(known[key], value)
    return found


def _typed(default: object, value: str) -> object:
    if isinstance(default, bool) and value in {"true", "false"}:
        return value == "true"
    if isinstance(default, int) and value.isdecimal() and len(value) < 19:
        return int(value)
    if isinstance(default, list):
        return value.strip("[]").split(",")
    return value
