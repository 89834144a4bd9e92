"""What is told depends on nothing that its hearer cannot know, down to the bytes."""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import kibitz
import pytest
from kibitz.errors import ImagineError
from kibitz.events import ACTIONS, What
from kibitz.games import game_class
from kibitz.imagine import imagine
from kibitz.testing import choose, variants
from kibitz.v1 import bot_pb2, watch_pb2
from kibitz_referee.chair import Chair
from kibitz_referee.player import Player
from kibitz_referee.table import Table
from kibitz_referee.terms import ClockTerms, Failure, Policy
from kibitz_referee.turns import collect

from tests.referee.test_watch import spectator

GAMES = [game for name in kibitz.games() for game in variants(game_class(name)) if game.fresh_decks]
DEALS = 12
TO_THE_END = 1_000_000
OPEN = {What.TURNED, What.SHOWN}
SECOND_PACK = kibitz.game("solo_whist", trump="second_pack").options()


class Watched:
    """A table of which one seat and the public are watched; it plays a list of actions.

    The deal that is watched is the one of this number, dealt from this deck.
    """

    def __init__(self, game: kibitz.Game, deck: list[int], seat: int, number: int = 0) -> None:
        self.seat, self.number = seat, number
        rest = [[game.cards.number[code] for code in kibitz.shuffle(game, k)] for k in range(DEALS)]
        rest[number] = deck
        luck = [(tuple(cards), kibitz.cut(game, k, "cut")) for k, cards in enumerate(rest)]
        names = [f"bot-{number}" for number in range(game.seats)]
        self.table = Table("table", game, names, luck, ClockTerms(), Policy())
        self.player = Player("token", "label", 10, lambda: 0.0)
        self.player.session = cast(Any, SimpleNamespace(out=SimpleNamespace(notice=lambda: None)))
        live = cast(Any, SimpleNamespace(deals=12))
        self.chair = Chair(live, self.table, seat, self.player, self.player.new_slot())
        self.player.chairs[self.chair.slot] = self.chair
        self.sent: list[bytes] = []
        self.shown: list[bytes] = []
        self.watcher = spectator(self.table)
        self.table.begin()
        while self.table.number < number:
            self.table.act(self.table.legal[0], 0.0)

    def hear(self) -> None:
        """Note what the watched bot is sent now."""
        self.player.tell(self.chair)
        message = collect(self.player, [], 256)
        assert message is not None
        self.sent.append(message.SerializeToString(deterministic=True))

    def act(self, action: int) -> None:
        """Take an action; note what the watched bot and spectators hear of it."""
        if self.table.turn == self.seat:
            self.hear()
            self.player.close(self.chair, 0.0)
        deal = self.table.deal
        self.table.act(action, 0.0)
        whole = watch_pb2.WatchedTable(events=[event.code for event in deal.public()])
        self.shown.append(whole.SerializeToString(deterministic=True))
        if self.table.number == self.number:  # the next deal is another's
            told = self.watcher.look()
            self.shown.append(told.SerializeToString(deterministic=True) if told else b"")


def said(game: kibitz.Game) -> str:
    defaults = type(game)().options()
    changed = {k: v for k, v in game.options().items() if v != defaults[k]}
    return " ".join([game.name, *(f"{key}={value}" for key, value in changed.items())])


def some_number(game: kibitz.Game, rng: Random) -> int:
    """Choose which deal of a match is watched: those of some games have rules of their own."""
    if game.schedule:
        return rng.randrange(game.schedule)
    return rng.randrange(2) if game.fresh_decks and game.duplicable else 0


def low_call(deal: kibitz.Deal, rng: Random) -> int:
    """Choose at random, but among calls often the lowest, so that partners are found."""
    legal = deal.legal()
    if len(legal) > 1 and legal[0].code == "pass" and rng.random() < 0.4:
        return legal[1]
    return choose(deal, rng)


def begun(game: kibitz.Game, rng: Random) -> tuple[Watched, list[int]]:
    """Play a deal at random, to its end or until a watched seat is asked; return the actions."""
    while True:
        deck = [game.cards.number[code] for code in kibitz.shuffle(game, rng.random().hex())]
        watched = Watched(game, deck, rng.randrange(game.seats), some_number(game, rng))
        taken: list[int] = []
        times = rng.choice([1, 2, 4, 8, 12, TO_THE_END])
        while watched.table.number == watched.number:
            if watched.table.turn == watched.seat:
                times -= 1
                if not times:
                    return watched, taken
            taken.append(int(low_call(watched.table.deal, rng)))
            watched.act(taken[-1])
        if times > DEALS:
            return watched, taken


def last_deal(watched: Watched) -> kibitz.Deal:
    table = watched.table
    if table.number == watched.number:
        return table.deal
    return table.finished(watched.number).deal


def replayed(watched: Watched, deal: kibitz.Deal, seat: int) -> Watched:
    """The same deal with other hidden cards, as its own actions play it."""
    again = Watched(deal.game, list(deal.deck), seat, watched.number)
    for _, action in deal.history:
        again.act(action)
    return again


def check_case(game: kibitz.Game, rng: Random) -> Counter[What]:
    """Watch a deal; exchange what the seat, then what spectators do not know; compare bytes."""
    watched, _ = begun(game, rng)
    deal, seat = last_deal(watched), watched.seat
    watched.hear()
    other = deal
    try:
        other = imagine(deal.view(seat), rng)
        again = replayed(watched, other, seat)
        again.hear()
        assert again.sent == watched.sent
        assert again.shown == watched.shown
        for each in range(game.seats):  # by now nobody's cards need be the same
            other = imagine(other.view(each), rng)
        again = replayed(watched, other, seat)
        assert again.shown == watched.shown
    except ImagineError:
        return Counter()
    moved = other.deck != deal.deck
    return Counter({What(event.what): int(moved) for event in deal.events})


@pytest.mark.parametrize("game", GAMES, ids=said)
def test_permuting_what_cannot_be_known_leaves_the_bytes_the_same(game: kibitz.Game) -> None:
    rng = Random(said(game))
    found = sum((check_case(game, rng) for _ in range(3)), Counter())
    assert found, "nothing was exchanged"


def unjustified(seen: list[kibitz.Event], seat: int | None, dummy: int | None) -> list[object]:
    """List what a hearer was told of cards that no rule shows: told apart from how rules tell it.

    A card dealt to somebody else is known only if it was turned up or shown before, or in the
    deal itself; a discard never. The hand of an open dummy is everybody's.
    """
    begin = next((i for i, event in enumerate(seen) if event.what in ACTIONS), len(seen))
    wrong: list[object] = []
    for at, event in enumerate(seen):
        if event.detail < 0 or event.place in {seat, dummy}:
            continue
        if event.what is What.DEALT:
            open_cards = {e.detail for e in seen[: max(at, begin)] if e.what in OPEN}
            wrong += [] if event.detail in open_cards else [(at, event)]
        elif event.what is What.DISCARDED:
            wrong.append((at, event))
    return wrong


@pytest.mark.parametrize("game", GAMES, ids=said)
def test_nobody_is_told_of_hidden_cards(game: kibitz.Game) -> None:
    rng = Random(said(game))
    dummy = 3 if game.options().get("variant") == "irish3" else None
    for _ in range(8):
        watched, _ = begun(game, rng)
        deal = last_deal(watched)
        assert unjustified(deal.public(), None, dummy) == []
        for seat in range(game.seats):
            assert unjustified(deal.seen(seat), seat, dummy) == []
        told = deal.events
        assert unjustified(told, None, dummy) or all(e.to is None for e in told)


def test_every_kind_of_event_is_among_what_was_watched() -> None:
    rng = Random(4)
    missing = set(What)
    for _ in range(20):
        for game in GAMES:
            if game.options() in (type(game)().options(), SECOND_PACK) and missing:
                missing -= set(check_case(game, rng))
    assert not missing


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES, ids=said)
def test_permuting_many_deals_leaves_the_bytes_the_same(game: kibitz.Game) -> None:
    rng = Random(f"many {said(game)}")
    assert sum((check_case(game, rng) for _ in range(100)), Counter())


def test_the_end_of_a_forfeited_deal_tells_details_to_the_offender_only() -> None:
    game = kibitz.game("german_whist", end="hands:4")
    deck = [game.cards.number[code] for code in kibitz.shuffle(game, 1)]
    told = []
    for seat in (0, 1):
        watched = Watched(game, deck, seat)
        watched.hear()
        watched.table.fail(Failure(0, "CRASH", "Traceback: secret", 1.0, 0.5))
        watched.hear()
        message = bot_pb2.PlayResponse.FromString(watched.sent[-1])
        told.append(message.turns.news[0].deal_end.forfeit)
    assert told[0].detail == "Traceback: secret"
    assert told[0].used_ms == 500
    assert (told[1].seat, told[1].reason) == (0, "CRASH")
    assert not told[1].detail
    assert not told[1].used_ms
