"""What stands in an archive, checked for form before anything is made of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz import reading
from kibitz.errors import ArchiveError, KibitzError
from kibitz.fair import deals_in_match
from kibitz.game import Game
from kibitz.games import game_from_options

FORMAT = "kibitz-archive/1"
SELF_HOSTED = "self_hosted"
KINDS = ("house", "submitted", SELF_HOSTED)
DONE = "done"
ANNULLED = "annulled"
"""The state of a set that was played to its end and then struck out."""


@dataclass(frozen=True)
class Entrant:
    """A bot version in a tournament; ``kind`` is house, submitted or self_hosted."""

    number: int
    label: str
    kind: str
    nonce: str | None


@dataclass(frozen=True)
class Tournament:
    """What was agreed, who played, and how it came out as published.

    ``pairings`` are entrants' numbers by the number of the pairing; ``data`` is the whole JSON.
    """

    id: str
    name: str
    game: Game
    state: str
    secret: bytes
    commitment: str
    entrants: tuple[Entrant, ...]
    pairings: Mapping[int, tuple[int, ...]]
    standings: tuple[dict[str, Any], ...]
    data: Mapping[str, Any]

    def players(self, pairing: int) -> list[Entrant]:
        """Return who meets in a pairing."""
        return [self.entrants[number] for number in self.pairings[pairing]]


def parse(name: str, content: bytes) -> dict[str, Any]:
    """Return the JSON object in a file of an archive.

    Raises:
        ArchiveError: it is none.
    """
    try:
        return reading.parse(content)
    except KibitzError as error:
        raise ArchiveError(f"{name}: {error}", reason="BAD_FORM") from error


def read_tournament(data: dict[str, Any]) -> Tournament:
    """Return the tournament that ``tournament.json`` describes.

    Raises:
        ArchiveError: something is missing, or of the wrong form; or the game does not exist here.
    """
    form = take(data, "format", str)
    if form != FORMAT:
        raise ArchiveError(f"format is {form!r:.60}, not {FORMAT!r}", reason="UNKNOWN_FORMAT")
    entrants = tuple(map(_entrant, take_list(data, "entrants", dict)))
    if [entrant.number for entrant in entrants] != list(range(len(entrants))):
        raise bad("entrants must be numbered from 0 in order")
    if len({entrant.label for entrant in entrants}) != len(entrants):
        raise bad("entrants must have different labels")
    game = _game(data)
    return Tournament(
        id=take(data, "id", str),
        name=take(data, "name", str),
        game=game,
        state=take(data, "state", str),
        secret=_secret(data),
        commitment=take(data, "commitment", str),
        entrants=entrants,
        pairings=_pairings(data, game, len(entrants)),
        standings=tuple(take_list(data, "standings", dict)),
        data=data,
    )


def take(data: Mapping[str, Any], key: str, kind: type | tuple[type, ...]) -> Any:
    """Return the value of a key, which must be of a type.

    Raises:
        ArchiveError: BAD_FORM, says what is wrong with it.
    """
    if key not in data:
        raise bad(f"{key} is missing")
    value = data[key]
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if type(value) not in kinds:
        words = " or ".join("null" if one is type(None) else one.__name__ for one in kinds)
        raise bad(f"{key} must be {words}, not {value!r:.60}")
    return value


def take_list(
    data: Mapping[str, Any], key: str, kind: type | tuple[type, ...], most: int = 1_000_000
) -> list[Any]:
    """Return the list of a key, whose members must be of a type; raises as :func:`take`."""
    values = take(data, key, list)
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if len(values) > most or any(type(value) not in kinds for value in values):
        raise bad(f"{key} must be a list of {' or '.join(one.__name__ for one in kinds)}")
    return list(values)


def bad(what: str, reason: str = "BAD_FORM") -> ArchiveError:
    """Return the error for something that is wrong."""
    return ArchiveError(what, reason=reason)


def _entrant(data: dict[str, Any]) -> Entrant:
    kind = take(data, "kind", str)
    if kind not in KINDS:
        raise bad(f"kind must be one of {', '.join(KINDS)}, not {kind!r:.60}")
    nonce = take(data, "nonce", (str, type(None)))
    return Entrant(take(data, "number", int), take(data, "label", str), kind, nonce)


def _pairings(data: dict[str, Any], game: Game, entrants: int) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    for pairing in take_list(data, "pairings", dict):
        number = take(pairing, "number", int)
        players = tuple(take_list(pairing, "entrants", int, 16))
        known = all(0 <= player < entrants for player in players)
        sizes = {game.players, game.seats}  # with changing partners a seat each
        if not known or len(set(players)) != len(players) or len(players) not in sizes:
            raise bad(f"pairing {number}: {game.name} is played by {game.players} entrants")
        if number in found:
            raise bad(f"pairing {number} is there twice")
        found[number] = players
    return found


def _secret(data: dict[str, Any]) -> bytes:
    try:
        return bytes.fromhex(take(data, "secret", str))
    except ValueError:
        raise bad("secret must be hexadecimal digits") from None


def _game(data: dict[str, Any]) -> Game:
    name, options = take(data, "game", str), take(data, "options", dict)
    try:
        game = game_from_options(name, options)
    except KibitzError as error:
        raise bad(f"game: {error}", "GAME_UNKNOWN") from error
    if not game.duplicable:
        raise bad(f"{name} with these options is not played in sets", "NOT_DUPLICABLE")
    if deals_in_match(game) > reading.DEALS:
        raise bad(f"no match has as many deals as {game.options()['end']!r:.40}", "GAME_UNKNOWN")
    return game


Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is, and how much there is."""
