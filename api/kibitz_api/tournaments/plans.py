"""What a tournament would come to, before it is created."""

import math
from collections.abc import Callable, Mapping

import kibitz
from kibitz import OptionError
from kibitz.game import Game
from kibitz.options import unknown
from kibitz_worker.schedule.formats import FORMATS, Format, format_options
from kibitz_worker.store.planning import at_a_table
from kibitz_worker.store.tournaments import check_size, checked_format

from kibitz_api.errors import InvalidRequestError
from kibitz_api.games.queries import title
from kibitz_api.tournaments.models import Preview, TournamentRequest

ELO = 400 / math.log(10)


DEALS_A_MATCH_MAX = 1_000
DEALS_MAX = 20_000_000


def plan(wanted: TournamentRequest) -> Preview:
    """Work out the size of a tournament and how firm its ratings will be.

    Raises kibitz.OptionError for options that cannot be, the store's InvalidError for a format that
    cannot be played so, InvalidRequestError for too few entrants (TOO_FEW_ENTRANTS) and for more
    than can sensibly be played (MATCH_TOO_LONG, TOURNAMENT_TOO_LARGE).
    """
    if "preset" in wanted.options:
        raise OptionError("a preset is no option; name it in its own field", option="preset")
    rules = kibitz.game(wanted.game, preset=wanted.preset, **wanted.options)
    kibitz.seatings(rules)
    count, players = len(wanted.entrants), at_a_table(rules, wanted.format)
    check_count(rules.title, players, count)
    chosen = checked_format(wanted.format, wanted.format_options, rules, count)
    found = sized(rules, chosen, count, wanted.sets)
    return found.model_copy(update={"rated": counts(wanted)})


def sized(rules: Game, chosen: Format, count: int, sets: int) -> Preview:
    """Work out the size of a tournament of so many entrants, with so many sets a table.

    Raises the store's InvalidError for more sets than can be stored, and InvalidRequestError for
    more than can sensibly be played (MATCH_TOO_LONG, TOURNAMENT_TOO_LARGE).
    """
    players = at_a_table(rules, chosen.name)
    deals = rules.goal[1]
    _check_deals(deals)
    check_size(chosen, count, players, sets)
    size = chosen.size(count, players, sets)
    matches = size.least * len(kibitz.seatings(rules, players))
    _check_size(deals, matches)
    each = size.least * players / count
    return Preview(
        rounds=size.rounds,
        sets=size.least,
        sets_most=size.most,
        matches=matches,
        deals=matches * deals,
        deals_a_match=deals,
        options=rules.options(),
        format_options=format_options(chosen),
        sets_each=each,
        elo_error=expected_error(each, players),
        seconds=None,
    )


def counts(wanted: TournamentRequest) -> bool:
    """Say whether a tournament would count in ratings."""
    kept_out = wanted.exhibition or wanted.format == "individual" or wanted.clock.get("untimed")
    return wanted.rated and not kept_out


def check_count(game: str, players: int, count: int) -> None:
    """Refuse fewer entrants than sit at a table. Raises InvalidRequestError (TOO_FEW_ENTRANTS)."""
    if count < players:
        raise InvalidRequestError(
            "TOO_FEW_ENTRANTS",
            f"{game} needs at least {players} entrants; {count} are chosen.",
            where="entrants",
        )


def expected_error(sets: float, players: int) -> float | None:
    """Half the width of the 95 % interval of an Elo rating after so many sets, of equal bots.

    A set adds a sum of comparisons to the score. Those of one player at a table correlate by 1/3
    when all are equally strong (of three, each is first in a third of the orders).
    """
    if sets <= 0:
        return None
    others = players - 1
    slope = others / 4
    variance = others / 4 + others * (others - 1) / 12
    return 1.96 * ELO / math.sqrt(sets * slope * slope / variance)


def _check_deals(deals: int) -> None:
    if deals > DEALS_A_MATCH_MAX:
        raise InvalidRequestError(
            "MATCH_TOO_LONG",
            f"A match of {deals} deals is too long; {DEALS_A_MATCH_MAX} at most, "
            "and more sets instead.",
            where="options.end",
        )


def _check_size(deals: int, matches: int) -> None:
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
    return _read(text, known, title(game), _typed)


def read_format_options(name: str, text: str) -> dict[str, object]:
    """Options of a format written as `key=value key=value`.

    Raises kibitz.OptionError naming the part that cannot be read.
    """
    kind = FORMATS.get(name)
    known = format_options(kind()) if kind else {}
    return _read(text, known, kind.title if kind else name, _number)


def _read(
    text: str,
    known: Mapping[str, object],
    of: str,
    typed: Callable[[object, str], object],
) -> dict[str, object]:
    found: dict[str, object] = {}
    for part in text.replace(";", " ").split():
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise OptionError(f"{part[:60]!r} is not of the form key=value", option=key[:60])
        if key not in known:
            raise unknown("option", key, list(known), of=of)
        found[key] = typed(known[key], value)
    return found


def _typed(default: object, value: str) -> object:
    if isinstance(default, bool) and value in {"true", "false"}:
        return value == "true"
    if isinstance(default, int) and value.isdecimal() and len(value) < 19:
        return int(value)
    if isinstance(default, list):
        return value.strip("[]").split(",")
    return value


def _number(default: object, value: str) -> object:
    if not isinstance(default, int | float):
        return value
    try:
        return int(value) if value.lstrip("-").isdecimal() else float(value)
    except ValueError:
        return value
