"""Where a game says that suits may be exchanged, a deal with other suits is the same game."""

from collections.abc import Iterator
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz.events import ACTIONS, What
from kibitz.fair import Draw
from kibitz.games import game_class
from kibitz.relabel import Relabelling, card_map, exchanges, relabelled
from kibitz.testing import choose, new_deal, variants

CARDS = frozenset({What.DEALT, What.TURNED, What.SHOWN, What.CUT, What.GIVEN, What.REVEALED})
GAMES = [game for name in kibitz.games() for game in variants(game_class(name))]


def said(game: kibitz.Game) -> str:
    defaults = type(game)().options()
    changed = {k: v for k, v in game.options().items() if v != defaults[k]}
    return " ".join([game.name, *(f"{key}={value}" for key, value in changed.items())])


class Exchanged:
    """A deal with its suits exchanged, and what of it corresponds to what of the other."""

    def __init__(self, deal: kibitz.Deal, relabelling: Relabelling) -> None:
        self.game, self.suits = deal.game, relabelling
        self.cards = card_map(self.game, relabelling)
        deck = [self.cards[card] for card in deal.deck]
        cut = None if deal.cut is None else self.cards[deal.cut]
        self.deal = self.game.new_deal(deck, deal.dealer, deal.number, cut)

    def action(self, action: int) -> int:
        """Find the action that is the same with suits exchanged, by its code."""
        actions, pack = self.game.actions, self.game.cards
        kind, colon, what = actions.names[action].rpartition(":")
        if what in pack.number:
            what = pack.codes[self.cards[pack.number[what]]]
        elif what in pack.suits:
            what = pack.suits[self.suits[pack.suits.index(what)]]
        return int(actions.number[kind + colon + what])

    def detail(self, event: kibitz.Event) -> int:
        if event.detail < 0:
            return event.detail
        if event.what in ACTIONS or event.what is What.CONTRACT:
            return self.action(event.detail)
        if event.what in CARDS:
            return self.cards[event.detail]
        if event.what is What.TRUMP:
            return (*self.suits, len(self.suits))[event.detail]
        return event.detail

    def check(self, deal: kibitz.Deal) -> None:
        """Check that both deals stand alike."""
        assert self.deal.turn == deal.turn
        assert sorted(map(self.action, deal.legal())) == [*self.deal.legal()]
        assert self.deal.scores == deal.scores
        assert self.deal.taken == deal.taken
        # What shows cards in rising order shows them in another one now.
        here = [(event.what, event.place, event.to) for event in deal.events]
        assert here == [(event.what, event.place, event.to) for event in self.deal.events]
        details = sorted((event.what, self.detail(event)) for event in deal.events)
        assert details == sorted((event.what, event.detail) for event in self.deal.events)


def chosen(game: kibitz.Game, number: int, rng: Random) -> Relabelling | None:
    _, *others = game.relabellings(number)
    return rng.choice(others) if others else None


@pytest.mark.parametrize("game", GAMES, ids=said)
def test_exchanging_suits_changes_neither_turns_nor_legal_actions_nor_scores(
    game: kibitz.Game,
) -> None:
    rng = Random(said(game))
    for number in range(0, game.schedule or 8, 2 if game.schedule else 1):
        deal = new_deal(game, rng.randrange(10**6), number)
        relabelling = chosen(game, deal.number, rng)
        if relabelling is None:
            assert game.relabellings(deal.number) == (tuple(range(len(game.cards.suits))),)
            continue
        other = Exchanged(deal, relabelling)
        while not deal.over:
            other.check(deal)
            action = choose(deal, rng)
            deal.play(action)
            other.deal.play(other.action(action))
        other.check(deal)


@pytest.mark.parametrize(
    ("name", "options", "counts"),
    [
        ("german_whist", {}, [24, 24]),
        ("german_whist", {"jokers": True}, [24, 24]),
        ("whist", {}, [24, 24]),
        ("whist", {"trump": "cycle", "cycle": ["H", "NT"]}, [6, 24]),
        ("solo_whist", {}, [24, 24]),
        ("solo_whist", {"trump": "cycle_nt"}, [6, 6, 6, 6, 24, 6]),
        ("solo_whist", {"variant": "irish"}, [1, 1]),
        ("solo_whist", {"variant": "irish3"}, [1, 1]),
        ("three_handed_whist", {}, [24] * 12),
        ("whiskey", {}, [24]),
        ("whos_who", {}, [24]),
        ("ottocento", {}, [1]),
        ("ottocento", {"pips": "uniform"}, [1]),
    ],
)
def test_how_many_relabellings_each_game_allows(
    name: str, options: dict[str, Any], counts: list[int]
) -> None:
    game = kibitz.game(name, **options)
    assert [len(game.relabellings(number)) for number in range(len(counts))] == counts
    for number in range(len(counts)):
        suits = game.relabellings(number)[0]
        assert suits == tuple(range(len(game.cards.suits)))


def lanes(name: str, **options: Any) -> Iterator[list[str]]:
    game = kibitz.game(name, **options)
    draw = Draw(game, bytes(32), "t", 3, ["a", None, "c"])
    for seating in kibitz.seatings(game):
        if seating.half == 0:
            yield draw.seated(seating, relabel=True)[0]["deck"]


@pytest.mark.parametrize("name", ["german_whist", "whiskey", "solo_whist"])
def test_the_lanes_of_a_set_get_different_suits(name: str) -> None:
    decks = list(lanes(name))
    game = kibitz.game(name)
    assert len({tuple(deck) for deck in decks}) == len(decks) == game.players
    assert decks[0] == Draw(game, bytes(32), "t", 3, ["a", None, "c"]).half(0)[0]["deck"]
    for deck in decks[1:]:
        assert any(deck == relabelled(game, decks[0], how) for how in exchanges(4))


def test_a_set_with_the_cards_of_another_has_suits_of_its_own() -> None:
    game = kibitz.game("whiskey")
    draw = Draw(game, bytes(32), "t", 3)
    decks = [
        tuple(draw.seated(seating, relabel=True, again=again)[0]["deck"])
        for seating in kibitz.seatings(game)
        for again in (False, True)
        if not seating.half
    ]
    assert len(set(decks)) == len(decks) == 6
    seating = kibitz.seatings(game)[0]
    assert draw.seated(seating, relabel=False, again=True) == draw.half(0)


def test_decks_of_games_that_rank_suits_stay_as_they_are() -> None:
    first, *others = lanes("ottocento")
    assert others == [first, first]


def test_a_cut_card_changes_its_suit_with_the_deck() -> None:
    game = kibitz.game("three_handed_whist")
    draw = Draw(game, b"k" * 32, "t", 0)
    seating = kibitz.seatings(game)[1]
    plain, other = draw.half(0), draw.seated(seating, relabel=True)
    for deal in range(12):
        how = draw.relabelling(seating, deal)
        cut = plain[deal]["cut"]
        assert (cut is None) == (deal >= 3)
        assert other[deal]["cut"] == (cut and relabelled(game, [cut], how)[0])
