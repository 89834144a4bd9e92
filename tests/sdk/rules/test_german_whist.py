"""Every worked example and test vector of German Whist, by its id."""

from random import Random
from typing import Any

import kibitz
import pytest
from kibitz.games.german_whist import GermanWhist

from tests.sdk.rules.situations import holding, scores_of, stacked, winner

PLAIN = GermanWhist()
HONEYMOON = GermanWhist(follow1=False, count="all", jokers=True)


def played_out(game: GermanWhist, seed: int) -> kibitz.Deal:
    deal = game.new_deal(kibitz.shuffle(game, seed), dealer=seed % 2)
    rng = Random(seed)
    while not deal.over:
        deal.play(rng.choice(deal.legal()))
    return deal


@pytest.mark.parametrize(
    ("game", "own", "other", "scores"),
    [
        pytest.param(PLAIN, 7, 6, (1, -1), id="GW-E1"),
        pytest.param(PLAIN, 13, 0, (1, -1), id="GW-E2-win"),
        pytest.param(GermanWhist(hand_score="margin"), 13, 0, (13, -13), id="GW-E2-margin"),
        pytest.param(PLAIN, 5, 8, (-1, 1), id="GW-E3-win"),
        pytest.param(GermanWhist(hand_score="margin"), 5, 8, (-3, 3), id="GW-E3-margin"),
        pytest.param(GermanWhist(count="all"), 14, 12, (1, -1), id="GW-E4-14"),
        pytest.param(GermanWhist(count="all"), 13, 13, (0, 0), id="GW-E4-13"),
        pytest.param(GermanWhist(hand_score="over6"), 9, 4, (3, 0), id="GW-E7"),
        pytest.param(GermanWhist(hand_score="tricks"), 11, 2, (11, 2), id="GW-E8-hand"),
    ],
)
def test_score_of_a_hand(game: GermanWhist, own: int, other: int, scores: tuple[int, int]) -> None:
    deal = game.new_deal(kibitz.shuffle(game, 1))
    deal.notes = (0, 0) if game.count == "all" else (5, 8)
    deal.taken = [own + deal.notes[0], other + deal.notes[1]]
    assert game.score(deal).scores == scores


@pytest.mark.parametrize("seed", range(12))
def test_scores_count_the_tricks_of_stage_2_only(seed: int) -> None:
    deal = played_out(GermanWhist(hand_score="tricks"), seed)
    winners = [event.place for event in deal.events if event.what is kibitz.What.WON]
    assert len(winners) == 26
    assert deal.scores == (winners[13:].count(0), winners[13:].count(1))
    every = played_out(GermanWhist(count="all", hand_score="margin"), seed)
    winners = [event.place for event in every.events if event.what is kibitz.What.WON]
    assert every.scores is not None
    assert every.scores[0] == winners.count(0) - winners.count(1)


@pytest.mark.parametrize("seed", range(12))
def test_gw_e5_honeymoon_whist_stops_at_14_tricks(seed: int) -> None:
    deal = played_out(HONEYMOON, seed)
    assert max(deal.taken) == 14
    assert sum(deal.taken) <= 27
    last = [event for event in deal.events if event.what is not kibitz.What.WON][-1]
    assert last.what is kibitz.What.PLAYED, "nothing is drawn after the 14th trick"
    assert deal.scores == ((1, -1) if deal.taken[0] == 14 else (-1, 1))


def test_honeymoon_with_stage2_plays_all_27_tricks_and_counts_13() -> None:
    deal = played_out(GermanWhist(jokers=True, hand_score="tricks"), 3)
    assert sum(deal.taken) == 27
    assert deal.scores is not None
    assert sum(deal.scores) == 13


def test_gw_e6_ten_hands() -> None:
    tricks = [7, 6, 9, 5, 8, 7, 4, 10, 6, 7]
    match = scores_of(PLAIN, [PLAIN.value(own, 13 - own) for own in tricks])
    assert match.over
    assert match.totals == match.returns == (2, -2)


def test_gw_e8_points_50_is_won_at_60_50() -> None:
    game = GermanWhist(hand_score="tricks", end="points:50")
    match = scores_of(game, [(49, 48), (11, 2)])
    assert match.totals == (60, 50)
    assert match.over
    assert match.returns == (1, -1)


def test_gw_e9_the_goal_rises_when_both_have_it() -> None:
    game = GermanWhist(hand_score="tricks", end="points:50")
    match = scores_of(game, [(46, 45), (7, 6)])
    assert match.totals == (53, 51)
    assert not match.over
    match = scores_of(game, [(46, 45), (7, 6), (7, 6)])
    assert match.over
    assert match.returns == (1, -1)


def test_a_match_to_points_ends_after_max_deals() -> None:
    game = GermanWhist(end="points:50", max_deals=3)
    assert not scores_of(game, [(1, -1), (-1, 1)]).over
    assert scores_of(game, [(1, -1), (-1, 1), (-1, 1)]).returns == (-1, 1)
    assert GermanWhist(count="all", end="points:50", max_deals=1).returns([(0, 0)]) == (0, 0)


@pytest.mark.parametrize("hand_score", ["over6", "tricks"])
def test_returns_of_single_tricks_are_own_less_the_others(hand_score: str) -> None:
    game = GermanWhist(hand_score=hand_score, end="hands:2")
    assert scores_of(game, [(9, 4), (7, 6)]).returns == (6, -6)
    with pytest.raises(kibitz.OptionError, match="count=stage2"):
        GermanWhist(hand_score=hand_score, count="all")


def test_gw_v1_the_deal() -> None:
    deck = kibitz.shuffle(PLAIN, 1)
    deal = PLAIN.new_deal(deck, dealer=0)
    told = [event for event in deal.events if event.what is kibitz.What.DEALT]
    codes = [PLAIN.cards.codes[event.detail] for event in told]
    assert [event.place for event in told] == [1] * 13 + [0] * 13
    assert codes[:2] == [deck[0], deck[2]]
    assert codes[25] == deck[25]
    assert [card.code for card in deal.view(0).turned] == [deck[26]]
    assert deal.view(0).trump == deck[26][1]
    assert len(deal.stock) == 26
    assert deal.turn == 1, "non-dealer leads"


def test_gw_v2_follow_suit() -> None:
    assert holding(PLAIN, "4H KH 2S", "9H").codes() == ["4H", "KH"]
    assert holding(PLAIN, "4H KH 2S", "9D").codes() == ["4H", "KH", "2S"]


@pytest.mark.parametrize(
    ("cards", "wins"),
    [("9D AC", 0), ("9D 2H", 1), ("9D 8D", 0), ("9H TH", 1)],
)
def test_gw_v3_winners(cards: str, wins: int) -> None:
    assert winner(PLAIN, (0, 1), cards, "H") == wins


def test_gw_v4_stock_cards_taken() -> None:
    deck = kibitz.shuffle(PLAIN, 4)
    deal = PLAIN.new_deal(deck, dealer=1)
    rng = Random(4)
    taken: list[tuple[str, str]] = []
    while len(deal.stock):
        before = deal.stock
        deal.play(rng.choice(deal.legal()))
        if deal.stock != before:
            won = next(e.place for e in reversed(deal.events) if e.what is kibitz.What.WON)
            drawn = {e.place: e.detail for e in deal.events[-4:] if e.what is kibitz.What.DEALT}
            codes = PLAIN.cards.codes
            taken.append((codes[drawn[won]], codes[drawn[1 - won]]))
    assert taken[0] == (deck[26], deck[27])
    assert taken[1] == (deck[28], deck[29])
    assert taken[12] == (deck[50], deck[51])


def test_gw_v5_a_trick_of_stage_1() -> None:
    deck = stacked(PLAIN, 0, {1: "TC", 0: "4C"}, stock="5H KD 9C 2S")
    deal = PLAIN.new_deal(deck, dealer=0)
    assert deal.view(1).trump == "H"
    deal.play("TC")
    deal.play("4C")
    assert "5H" in [card.code for card in deal.view(1).hand]
    assert "KD" in [card.code for card in deal.view(0).hand]
    assert [card.code for card in deal.view(0).known(1)] == ["5H"], "the face-up card is public"
    assert deal.view(1).known(0) == [], "the loser's card is not"
    assert [card.code for card in deal.view(0).turned] == ["9C"]
    assert deal.turn == 1


def test_gw_v6_tricks_and_hand_sizes() -> None:
    deal = PLAIN.new_deal(kibitz.shuffle(PLAIN, 6))
    rng, sizes = Random(6), {}
    while not deal.over:
        deal.play(rng.choice(deal.legal()))
        if not deal.table:
            sizes[sum(deal.taken)] = len(deal.hand(0))
    assert [sizes[trick] for trick in (12, 13, 14, 26)] == [13, 13, 12, 0]


def test_gw_v7_follow1_false() -> None:
    free = GermanWhist(follow1=False)
    deal = holding(free, "4H KH 2S", "QH", trump="S", stock=True)
    assert deal.codes() == ["4H", "KH", "2S"]
    assert holding(free, "4H KH 2S", "QH", trump="S").codes() == ["4H", "KH"], "stage 2"
    assert winner(free, (0, 1), "QH 2S", "S") == 1


def test_gw_v8_and_gw_v9_unseen_cards() -> None:
    deal = PLAIN.new_deal(kibitz.shuffle(PLAIN, 8))
    assert len(deal.view(0).unseen) == len(deal.view(1).unseen) == 38
    assert deal.view(0).held[1] == 13
    rng = Random(8)
    while deal.stock or deal.table:
        deal.play(rng.choice(deal.legal()))
    for seat in (0, 1):
        view = deal.view(seat)
        gone = {*view.hand, *view.played}
        left = {card for card in PLAIN.deck if card not in gone}
        assert len(left) == 13
        assert left == set(deal.hand(1 - seat))


@pytest.mark.parametrize(
    ("cards", "trump", "wins"),
    [("AH XL", "H", 1), ("XL XH", "H", 1), ("XL AS", "H", 0), ("9D XL", "X", 1)],
)
def test_gw_v10_jokers_in_a_trick(cards: str, trump: str, wins: int) -> None:
    assert winner(HONEYMOON, (0, 1), cards, trump) == wins


def test_gw_v11_jokers_follow_trumps() -> None:
    assert holding(HONEYMOON, "4H XL 2S", "KH", trump="H").codes() == ["4H", "XL"]
    stage1 = holding(HONEYMOON, "4H XL 2S", "KH", trump="H", stock=True)
    assert stage1.codes() == ["4H", "2S", "XL"]
    only = holding(HONEYMOON, "9C XL 2S", "KH", trump="H")
    assert only.codes() == ["XL"], "the only trump must follow"
    plain = holding(HONEYMOON, "9C XL 2S", "KC", trump="H")
    assert plain.codes() == ["9C"], "a Joker does not follow a plain suit"


def test_a_joker_turned_up_means_no_trump_suit() -> None:
    deck = stacked(HONEYMOON, 0, {}, stock="XL")
    deal = HONEYMOON.new_deal(deck, dealer=0)
    assert deal.view(0).trump is None
    suit = HONEYMOON.cards.suit[-1]
    led = holding(HONEYMOON, "9C XH 2S", "XL")
    led.trump = suit
    assert led.codes() == ["XH"], "a Joker follows a Joker"
    assert winner(HONEYMOON, (0, 1), "9D AC", "X") == 0


def test_gw_v12_honeymoon_sizes() -> None:
    deal = HONEYMOON.new_deal(kibitz.shuffle(HONEYMOON, 1))
    assert len(deal.stock) == 28
    game = GermanWhist(jokers=True)
    deal, rng, stage1 = game.new_deal(kibitz.shuffle(game, 2)), Random(2), 0
    while not deal.over:
        deal.play(rng.choice(deal.legal()))
        if not deal.stock and not stage1 and not deal.table:
            stage1 = sum(deal.taken)
    assert (stage1, sum(deal.taken) - stage1) == (14, 13)


@pytest.mark.parametrize(
    ("options", "scores"),
    [
        ({}, (-1, 1)),
        ({"hand_score": "margin"}, (-13, 13)),
        ({"hand_score": "margin", "count": "all"}, (-26, 26)),
        ({"hand_score": "margin", "count": "all", "jokers": True}, (-14, 14)),
        ({"hand_score": "margin", "jokers": True}, (-13, 13)),
        ({"hand_score": "over6"}, (0, 7)),
        ({"hand_score": "tricks"}, (0, 13)),
    ],
)
def test_forfeits(options: dict[str, Any], scores: tuple[int, int]) -> None:
    game = kibitz.game("german_whist", **options)
    assert game.worst(0) == scores
    assert game.worst(1) == scores[::-1]


def test_the_preset_is_a_bundle_of_options() -> None:
    assert kibitz.game("german_whist", "honeymoon") == HONEYMOON
