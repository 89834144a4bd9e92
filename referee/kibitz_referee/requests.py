"""What a worker may ask for, checked before anything is played."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import grpc
from kibitz.errors import KibitzError
from kibitz.game import Game
from kibitz.games import game as get_game
from kibitz.v1 import referee_pb2 as wire
from kibitz.v1 import table_pb2

from kibitz_referee.errors import RefusedError
from kibitz_referee.plan import Plan
from kibitz_referee.table import Luck
from kibitz_referee.terms import ClockTerms, OnFailure, Policy

_DIGEST = re.compile(r"[0-9a-f]{64}")
_DAY_MS = 86_400_000


def digest(text: str) -> str:
    """Return the SHA-256 of a token as it was given.

    Raises:
        RefusedError: it is none.
    """
    if not _DIGEST.fullmatch(text):
        text = "token_sha256 must be 64 lower-case hexadecimal digits"
        raise _invalid("BAD_TOKEN_HASH", text)
    return text


def read_game(request: wire.RunSetRequest) -> Game:
    """Return the game of a set.

    Raises:
        RefusedError: there is no such game, or an option is wrong.
    """
    try:
        options = json.loads(request.options_json or "{}")
        if not isinstance(options, dict):
            raise TypeError
    except (ValueError, TypeError, RecursionError):
        raise _invalid("BAD_OPTION", "options_json must be a JSON object") from None
    try:
        game = get_game(request.game, **options)
    except (KibitzError, TypeError) as error:
        reason = error.reason if isinstance(error, KibitzError) else "BAD_OPTION"
        raise _invalid(reason, f"{request.game}: {error}") from error
    if not game.fresh_decks:
        text = (
            f"{game.name} with these options gathers its next deck from the deal before, and a"
            " referee plays decks that were fixed beforehand; use shuffle=each"
        )
        raise _invalid("DECKS_GATHERED", text)
    return game


def read_clock(request: wire.RunSetRequest) -> ClockTerms:
    """Return the clock of a set, the default one if it has none.

    Raises:
        RefusedError: a time is missing or longer than a day.
    """
    if not request.HasField("clock"):
        return ClockTerms()
    clock = request.clock
    for name in ("bank_ms", "increment_ms", "cap_ms", "ready_ms", "tolerance_ms"):
        if getattr(clock, name) > _DAY_MS:
            raise _invalid("BAD_CLOCK", f"{name} must not be longer than a day")
    if not clock.untimed and not (clock.cap_ms and clock.bank_ms + clock.increment_ms):
        text = "a clock needs cap_ms and bank_ms or increment_ms above 0, or untimed"
        raise _invalid("BAD_CLOCK", text)
    return _clock(clock)


def _clock(clock: table_pb2.Clock) -> ClockTerms:
    default = ClockTerms()
    return ClockTerms(
        bank=clock.bank_ms / 1000,
        increment=clock.increment_ms / 1000,
        cap=clock.cap_ms / 1000,
        ready=clock.ready_ms / 1000 or default.ready,
        tolerance=clock.tolerance_ms / 1000 or default.tolerance,
        untimed=clock.untimed,
    )


def read_policy(policy: wire.Policy) -> Policy:
    """Return the policy of a set, the default one for what it leaves out.

    Raises:
        RefusedError: the policy is of a later version.
    """
    default = Policy()
    try:
        kind = OnFailure(policy.on_failure) if policy.on_failure else default.on_failure
    except ValueError:
        text = f"this referee knows no policy number {policy.on_failure}"
        raise _invalid("BAD_POLICY", text) from None
    return Policy(kind, policy.max_penalties or default.max_penalties)


def deals_per_match(game: Game) -> int:
    """Return how many deals a match of a game has, 0 if that depends on the play."""
    kind, number = game.goal
    return number if kind in {"deals", "hands"} else 0


def read_plans(
    request: wire.RunSetRequest, game: Game, admitted: Mapping[str, object]
) -> list[Plan]:
    """Return the matches of a set.

    Raises:
        RefusedError: a match lacks something; says which one and what.
    """
    if not request.matches:
        raise _invalid("NO_MATCHES", "a set needs at least one match")
    plans = [_plan(match, game, admitted) for match in request.matches]
    if len({plan.id for plan in plans}) != len(plans):
        raise _invalid("DOUBLED_MATCH", "each match of a set needs a match_id of its own")
    return plans


def _plan(match: wire.Match, game: Game, admitted: Mapping[str, object]) -> Plan:
    where = f"match {match.match_id!r}"
    if len(match.seats) != game.seats:
        text = f"{where}: {game.name} has {game.seats} seats, not {len(match.seats)}"
        raise _invalid("WRONG_SEATS", text)
    tokens = tuple(digest(chair.token_sha256) for chair in match.seats)
    for seat, token in enumerate(tokens):
        if token not in admitted:
            text = f"{where}: the bot at seat {seat} was not admitted"
            raise RefusedError(grpc.StatusCode.FAILED_PRECONDITION, "NOT_ADMITTED", text)
    needed = max(1, deals_per_match(game))
    if len(match.decks) < needed:
        text = f"{where} needs {needed} decks, not {len(match.decks)}"
        raise _invalid("TOO_FEW_DECKS", text)
    names = tuple(chair.name for chair in match.seats)
    decks = tuple(_luck(one, game, number, where) for number, one in enumerate(match.decks))
    taped = frozenset(seat for seat, chair in enumerate(match.seats) if chair.keep_messages)
    return Plan(match.match_id, tokens, names, decks, match.decks_name, taped)


def _luck(deck: wire.Deck, game: Game, number: int, where: str) -> Luck:
    try:
        cards = tuple(map(game.cards.number.__getitem__, deck.cards))
        if len(cards) != len(game.deck) or set(cards) != set(game.deck):
            raise KeyError
    except KeyError:
        try:
            game.new_deal(list(deck.cards))
            text = "the deck is wrong"
        except KibitzError as error:
            text = str(error)
        raise _invalid("BAD_DECK", f"{where}: {text}") from None
    return cards, _cut(deck, game, number, where)


def _cut(deck: wire.Deck, game: Game, number: int, where: str) -> str | None:
    needed = game.needs_cut(number)
    if needed != deck.HasField("cut"):
        text = f"deck {number} {'lacks its' if needed else 'has a'} cut card"
        raise _invalid("BAD_DECK", f"{where}: {text}")
    if needed and deck.cut not in game.cards.number:
        text = f"{deck.cut[:20]!r}, cut for deck {number}, is no card of {game.name}"
        raise _invalid("BAD_DECK", f"{where}: {text}")
    return deck.cut if needed else None


def _invalid(reason: str, message: str) -> RefusedError:
    return RefusedError(grpc.StatusCode.INVALID_ARGUMENT, reason, message)
