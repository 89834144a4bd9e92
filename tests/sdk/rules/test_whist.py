"""Every worked example and test vector of Whist, by its id."""

from random import Random
from typing import Any

import kibitz
import pytest
from kibitz.games.whist import Whist

from tests.sdk.rules.situations import holding, scores_of, stacked, winner

PLAIN = Whist()
SHORT = Whist(end="game:5", honours=True)


def scored(
    game: Whist, tricks: int, points: tuple[int, int] = (0, 0), held: dict[int, str] | None = None
) -> tuple[float, ...]:
    """Return the scores by side of a deal with so many tricks of side 0; hearts are trumps."""
    deck = stacked(game, 3, {3: "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 2H", **(held or {})})
    deal = game.new_deal(deck, dealer=3, points=points)
    assert deal.view(0).trump == "H"
    deal.taken = [tricks, 13 - tricks, 0, 0]
    scores = game.score(deal).scores
    assert scores[:2] == scores[2:]
    return scores[:2]


@pytest.mark.parametrize(
    ("tricks", "scores"),
    [
        pytest.param(9, (3, 0), id="WH-E1"),
        pytest.param(13, (7, 0), id="WH-E2"),
        pytest.param(6, (0, 1), id="WH-E3"),
    ],
)
def test_odd_tricks(tricks: int, scores: tuple[int, int]) -> None:
    assert scored(PLAIN, tricks) == scores


def test_wh_e4_a_game_is_won() -> None:
    game = Whist(end="game:5")
    match = scores_of(game, [(4, 0, 4, 0), (*scored(game, 8), *scored(game, 8))])
    assert match.totals == (6, 0, 6, 0)
    assert match.over
    assert match.returns == (1, -1, 1, -1)


def test_wh_e5_honours() -> None:
    assert scored(SHORT, 7, (2, 0), {0: "AH KH", 2: "JH", 1: "QH"}) == (3, 0)


def test_wh_e6_barred_from_honours() -> None:
    honours = {0: "AH KH", 2: "QH JH"}
    assert scored(SHORT, 5, (4, 0), honours) == (0, 2)
    assert scored(SHORT, 5, (3, 0), honours) == (4, 2), "at 3 they count"


def test_tricks_that_decide_the_game_leave_no_honours() -> None:
    assert scored(SHORT, 5, (2, 3), {0: "AH KH", 2: "QH JH"}) == (0, 2), "side 1 reaches 5"
    assert scored(SHORT, 10, (1, 0), {0: "AH KH", 2: "QH JH"}) == (4, 0), "side 0 reaches 5"
    fixed = Whist(honours=True)
    assert scored(fixed, 13, (0, 0), {0: "AH KH", 2: "QH JH"}) == (11, 0), "no limit in deals:N"


def test_honours_count_by_original_holding_of_both_partners() -> None:
    assert scored(SHORT, 7, (0, 0), {0: "AH", 2: "KH", 1: "QH JH"}) == (1, 0)
    side = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC QH 2H"
    assert scored(SHORT, 7, (0, 0), {0: "JH", 1: "AH KH", 3: side}) == (1, 2)


def test_wh_e7_a_rubber() -> None:
    game = Whist(end="rubber:5")
    sides = [(4, 0), (0, 4), (1, 0), (0, 4), (1, 0), (0, 1), (5, 0)]
    match = scores_of(game, [(a, b, a, b) for a, b in sides])
    assert match.over
    assert match.returns == (4, -4, 4, -4)


def test_a_rubber_of_two_games_and_the_values_of_games() -> None:
    game = Whist(end="rubber:5")
    match = scores_of(game, [(7, 0, 7, 0), (0, 2, 0, 2)])
    assert not match.over
    assert game.points(match.results) == (0, 2)
    match = scores_of(game, [(7, 0, 7, 0), (0, 2, 0, 2), (5, 0, 5, 0)])
    assert match.over
    assert match.returns == (7, -7, 7, -7), "3 and 2 for the games, 2 for the rubber"


def test_wh_e8_four_deals() -> None:
    game = Whist(end="deals:4")
    results = [(*scored(game, tricks), *scored(game, tricks)) for tricks in (9, 5, 7, 10)]
    match = scores_of(game, results)
    assert match.totals[:2] == (8, 2)
    assert match.returns == (6, -6, 6, -6)


def test_wh_v1_the_deal() -> None:
    deck = kibitz.shuffle(PLAIN, 1)
    deal = PLAIN.new_deal(deck, dealer=2)
    holder = {card: seat for seat in range(4) for card in deal.hand(seat)}
    number = PLAIN.cards.number
    assert [holder[number[deck[i]]] for i in (0, 1, 50, 51)] == [3, 0, 1, 2]


def test_wh_v2_dealers_left_leads() -> None:
    assert PLAIN.new_deal(kibitz.shuffle(PLAIN, 1), dealer=2).turn == 3


@pytest.mark.parametrize(("led", "legal"), [("9C", "2C KC"), ("9H", "5H"), ("9D", "2C KC 5H AS")])
def test_wh_v3_legal_cards(led: str, legal: str) -> None:
    assert holding(PLAIN, "2C KC 5H AS", led).codes() == legal.split()


@pytest.mark.parametrize(
    ("order", "cards", "trump", "seat"),
    [
        pytest.param((3, 0, 1, 2), "TD AD 2D KS", "H", 0, id="WH-V4"),
        pytest.param((3, 0, 1, 2), "TD AD 2H 9H", "H", 2, id="WH-V5"),
        pytest.param((1, 2, 3, 0), "3S AD AC AS", None, 0, id="WH-V6"),
        pytest.param((0, 1, 2, 3), "4S KD AC QH", None, 0, id="WH-V7"),
    ],
)
def test_winners(order: tuple[int, ...], cards: str, trump: str | None, seat: int) -> None:
    assert winner(PLAIN, order, cards, trump) == seat


def test_wh_v8_known_cards_before_the_lead() -> None:
    deal = PLAIN.new_deal(kibitz.shuffle(PLAIN, 1), dealer=2)
    assert 52 - len(deal.view(0).unseen) == 14
    assert 52 - len(deal.view(2).unseen) == 13


def test_the_turned_card_stays_known_until_it_is_played() -> None:
    deck = kibitz.shuffle(PLAIN, 5)
    deal = PLAIN.new_deal(deck, dealer=0)
    rng = Random(5)
    while not deal.over:
        held = PLAIN.cards.number[deck[51]] in deal.hand(0)
        for seat in range(4):
            assert [card.code for card in deal.view(seat).shown[0]] == ([deck[51]] if held else [])
        deal.play(rng.choice(deal.legal()))


def test_wh_v9_dealer_may_play_the_turned_card() -> None:
    deck = stacked(PLAIN, 0, {0: "3H AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC 9H", 1: "4H"})
    deal = PLAIN.new_deal(deck, dealer=0)
    for code in ("4H", None, None):
        deal.play(code if code is not None else deal.codes()[0])
    assert deal.turn == 0
    assert "9H" in deal.codes()


def test_wh_v10_tricks_are_pooled() -> None:
    winners = [0, 2, 1, 3, 2, 2, 0, 1, 1, 3, 0, 2, 0]
    deal = PLAIN.new_deal(kibitz.shuffle(PLAIN, 1))
    deal.taken = [winners.count(seat) for seat in range(4)]
    assert deal.taken[0] + deal.taken[2] == 8
    assert PLAIN.score(deal).scores == (2, 0, 2, 0)


def test_wh_v11_trumps_by_turns() -> None:
    game = kibitz.game("whist", "rotating_trumps")
    deck = kibitz.shuffle(game, 1)
    deals = [game.new_deal(deck, number=number) for number in range(6)]
    assert "".join(deal.view(0).trump or "-" for deal in deals) == "HCDSHC"
    assert all(not deal.view(1).shown[deal.dealer] for deal in deals), "nothing is turned"
    bridge = Whist(trump="cycle", cycle=("NT", "S"))
    assert bridge.new_deal(deck, number=2).view(0).trump is None


def test_partners_sit_opposite_and_do_not_see_each_other() -> None:
    view = PLAIN.new_deal(kibitz.shuffle(PLAIN, 1), dealer=2).view(0)
    assert view.partners() == (2,)
    assert view.partners(3) == (1,)
    assert view.known(1) == []


def test_forfeits() -> None:
    assert PLAIN.worst(1) == (7, 0, 7, 0)
    assert SHORT.worst(2) == (0, 11, 0, 11)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("american", {"end": "game:7", "honours": False}),
        ("short", {"end": "game:5", "honours": True}),
        ("long", {"end": "game:10", "honours": True}),
        ("rotating_trumps", {"trump": "cycle"}),
    ],
)
def test_presets(preset: str, options: dict[str, Any]) -> None:
    assert kibitz.game("whist", preset) == kibitz.game("whist", **options)


def test_honours_depend_on_the_points_of_the_match() -> None:
    game = Whist(end="game:5", honours=True)
    match = game.new_match()
    match.results, match.played = [(4, 0, 4, 0)], []
    assert match.new_deal(kibitz.shuffle(game, 1)).points == (4, 0)
