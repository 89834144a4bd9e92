"""What a bot is sent depends on nothing that its seat cannot know, down to the bytes."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import kibitz
import pytest
from kibitz.imagine import imagine
from kibitz.v1 import bot_pb2
from kibitz_referee.chair import Chair
from kibitz_referee.player import Player
from kibitz_referee.table import Table
from kibitz_referee.terms import ClockTerms, Failure, Policy
from kibitz_referee.turns import collect


class Watched:
    """A table of which one seat is watched; the others are played from a list of actions."""

    def __init__(self, game: kibitz.Game, deck: list[int], seat: int) -> None:
        self.seat = seat
        cut = kibitz.cut(game, 0, "cut") if game.needs_cut(0) else None
        luck = [(tuple(deck), cut)] + [
            (tuple(game.cards.number[code] for code in kibitz.shuffle(game, f"rest{k}")), None)
            for k in range(11)
        ]
        names = [f"bot-{number}" for number in range(game.seats)]
        self.table = Table("table", game, names, luck, ClockTerms(), Policy())
        self.player = Player("token", "label", 10, 0.0)
        self.player.session = cast(Any, SimpleNamespace(out=SimpleNamespace(notice=lambda: None)))
        live = cast(Any, SimpleNamespace(deals=12))
        self.chair = Chair(live, self.table, seat, self.player, self.player.new_slot())
        self.player.chairs[self.chair.slot] = self.chair
        self.sent: list[bytes] = []
        self.table.begin()

    def hear(self) -> None:
        """Note what the watched bot is sent now."""
        self.player.tell(self.chair)
        message = collect(self.player, [], 256)
        assert message is not None
        self.sent.append(message.SerializeToString(deterministic=True))

    def act(self, action: int) -> None:
        if self.table.turn == self.seat:
            self.hear()
            self.player.close(self.chair, 0.0)
        self.table.act(action, 0.0)


def play_until_asked(watched: Watched, times: int, rng: Random) -> list[int] | None:
    """Play at random until the watched seat is asked so many times; ``None`` if it never is."""
    taken: list[int] = []
    while watched.table.number == 0:
        if watched.table.turn == watched.seat:
            times -= 1
            if not times:
                return taken
        taken.append(int(rng.choice(watched.table.legal)))
        watched.act(taken[-1])
    return None


@pytest.mark.parametrize("name", sorted(kibitz.games()))
@pytest.mark.parametrize("seed", range(4))
def test_permuting_what_a_seat_cannot_know_leaves_its_bytes_the_same(name: str, seed: int) -> None:
    game = kibitz.game(name)
    rng = Random(f"{name}{seed}")
    taken = None
    while taken is None:
        deck = [game.cards.number[code] for code in kibitz.shuffle(game, rng.random().hex())]
        seat = rng.randrange(game.seats)
        watched = Watched(game, deck, seat)
        taken = play_until_asked(watched, rng.randrange(1, 12), rng)
    watched.hear()

    other = imagine(watched.table.deal.view(seat), rng)
    assert list(other.deck) != deck
    again = Watched(game, list(other.deck), seat)
    secret = [action for _, action in other.history]
    assert len(secret) == len(taken)
    for action in secret:
        again.act(action)
    again.hear()
    assert again.sent == watched.sent


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
