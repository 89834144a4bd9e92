"""The bracket of a knockout as columns to be drawn, rounds to come included."""

from dataclasses import dataclass

from kibitz_api.tournaments.models import RoundAnswer, TableAnswer, Tournament
from kibitz_api.tournaments.words import round_name


@dataclass(frozen=True)
class Column:
    """A round: its name, and its places from top to bottom; None for one not known yet."""

    name: str
    places: list[TableAnswer | None]


@dataclass(frozen=True)
class Bracket:
    """Columns from the first round to the final; `linked` if lines lead from each to the next."""

    columns: list[Column]
    linked: bool


def bracket(tournament: Tournament) -> Bracket | None:
    """The bracket of a knockout; None for other formats and before the first round."""
    if tournament.format != "knockout" or not tournament.rounds:
        return None
    first = tournament.rounds[0].tables
    pairs = all(len(table.players) <= 2 for table in first)
    found = [list[TableAnswer | None](round_.tables) for round_ in tournament.rounds]
    while pairs and len(found[-1]) > 1:
        found.append([None] * (len(found[-1]) // 2))
    last = len(found) if pairs or _ends(tournament.rounds) else len(found) + 1
    columns = [
        Column(round_name(number, last, pairs), places) for number, places in enumerate(found, 1)
    ]
    return Bracket(columns, linked=pairs)


def _ends(rounds: list[RoundAnswer]) -> bool:
    """Whether the last round is the final: one table, from which one goes on."""
    tables = rounds[-1].tables
    return len(tables) == 1 and len(tables[0].players) > 1 and len(tables[0].winners) < 2
