"""Every worked example and test vector of Who's Who, by its id."""

from itertools import combinations

import kibitz
import pytest
from kibitz.games.whos_who import JOKERS, WhosWho
from kibitz.phases import Trick

from tests.sdk.rules.situations import cards, holding, scores_of, stacked, winner

PLAIN = WhosWho()
REVISED = WhosWho(objective="revised")
LARGE = WhosWho(pack=54)
LARGE_REVISED = WhosWho(pack=54, objective="revised")
AWARDS = ["award:0", "award:1", "award:2"]


def dealing(hands: dict[int, str]) -> kibitz.Deal:
    """Return a deal by seat 2, in which seats have certain cards."""
    return PLAIN.new_deal(stacked(PLAIN, 2, hands), dealer=2)


def score(game: WhosWho, soloist: int, partners: tuple[int, int]) -> tuple[float, ...]:
    """Return the scores of the soloist, at seat 0, and of the partners."""
    deal = game.new_deal(stacked(game, 0, {0: "X1 X2"}))
    assert deal.contract.declarer == 0
    deal.taken = [soloist, *partners]
    return game.score(deal).scores


@pytest.mark.parametrize(
    ("game", "soloist", "partners", "solo_scores", "value"),
    [
        pytest.param(PLAIN, 4, (7, 3), True, 14, id="WW-E1"),
        pytest.param(PLAIN, 14, (0, 0), True, 24, id="WW-E2"),
        pytest.param(PLAIN, 0, (7, 7), True, 10, id="WW-E3"),
        pytest.param(PLAIN, 5, (5, 4), False, 15, id="WW-E4"),
        pytest.param(PLAIN, 6, (4, 4), True, 16, id="WW-E5"),
        pytest.param(PLAIN, 3, (6, 5), False, 13, id="WW-E6"),
        pytest.param(PLAIN, 8, (4, 2), False, 18, id="WW-E7"),
        pytest.param(REVISED, 8, (4, 2), True, 18, id="WW-E8"),
        pytest.param(LARGE, 6, (6, 6), False, 16, id="WW-E9"),
        pytest.param(LARGE, 8, (5, 5), True, 18, id="WW-E10"),
        pytest.param(LARGE_REVISED, 10, (8, 0), True, 20, id="WW-E13-revised"),
        pytest.param(LARGE, 10, (8, 0), False, 20, id="WW-E13-2006"),
        pytest.param(LARGE_REVISED, 9, (9, 0), False, 19, id="WW-E14"),
    ],
)
def test_score(
    game: WhosWho, soloist: int, partners: tuple[int, int], solo_scores: bool, value: int
) -> None:
    expected = (value, 0, 0) if solo_scores else (0, value, value)
    assert score(game, soloist, partners) == expected
    assert score(game, soloist, (partners[1], partners[0])) == expected


# The table of section 6: the soloist's tricks, the value, the splits on which he succeeds.
TABLE = """
0 10 7-7 | 1 11 13-0 | 2 12 12-0 11-1 6-6 | 3 13 11-0 10-1 9-2 | 4 14 10-0 9-1 8-2 7-3 5-5
5 15 9-0 8-1 7-2 6-3 | 6 16 8-0 7-1 4-4 | 7 17 | 8 18 3-3 | 9 19 | 10 20 2-2 | 11 21 | 12 22 1-1
13 23 | 14 24 0-0
"""


@pytest.mark.parametrize("row", TABLE.replace("\n", "|").strip("|").split("|"))
def test_the_whole_table_of_scores(row: str) -> None:
    soloist, value, *splits = row.split()
    rest = 14 - int(soloist)
    for low in range(rest // 2 + 1):
        succeeded = f"{rest - low}-{low}" in splits
        expected = (int(value), 0, 0) if succeeded else (0, int(value), int(value))
        assert score(PLAIN, int(soloist), (low, rest - low)) == expected


def test_ww_e11_and_ww_e12_zero_sum_returns() -> None:
    game = WhosWho(end="deals:3")
    for scores, returns in (((14, 0, 0), (28, -14, -14)), ((0, 13, 13), (-26, 13, 13))):
        assert scores_of(game, [scores, (0, 0, 0), (0, 0, 0)]).returns == returns


def test_ww_v1_the_deal() -> None:
    deck = kibitz.shuffle(PLAIN, 1)
    deal = PLAIN.new_deal(deck, dealer=0)
    for place, positions in ((1, (0, 3, 6)), (2, (1, 4, 7)), (0, (2, 5, 8))):
        for position in positions:
            assert PLAIN.cards.number[deck[position]] in deal.hand(place)
    assert [len(deal.hand(place)) for place in range(3)] == [14] * 3
    assert len(LARGE.new_deal(kibitz.shuffle(LARGE, 1)).hand(0)) == 18
    assert deal.turn == 1, "left of the dealer leads"


def test_the_packs() -> None:
    codes = {PLAIN.cards.codes[card] for card in PLAIN.deck}
    assert len(codes) == 42
    assert {"5C", "AS", "X1", "X2"} <= codes
    assert not {"4C", "3D", "2S"} & codes
    assert len(LARGE.deck) == 54


@pytest.mark.parametrize(
    ("hands", "soloist"),
    [
        pytest.param({0: "X1", 2: "X2"}, 1, id="WW-V2-split"),
        pytest.param({2: "X1 X2"}, 2, id="WW-V2-both"),
    ],
)
def test_roles(hands: dict[int, str], soloist: int) -> None:
    assert PLAIN.new_deal(stacked(PLAIN, 0, hands)).contract.declarer == soloist


@pytest.mark.parametrize(
    ("hand", "table", "legal"),
    [
        pytest.param("KS 7S X1 9D", "QS", "7S KS", id="WW-V3-follow"),
        pytest.param("KS 7S X1 9D", "5C", "9D 7S KS X1", id="WW-V3-void"),
        pytest.param("X1 9D 5D", "", "5D 9D", id="WW-V4-lead"),
        pytest.param("X1 X2", "", "X1 X2", id="WW-V4-jokers"),
        pytest.param("KS 7S X1 9D", "X2", "9D 7S KS X1", id="a Joker led"),
        pytest.param("KS 7S 9D", "5C X1", "9D 7S KS", id="a Joker played to a club"),
        pytest.param("6C 7S", "5C X1", "6C", id="following, a Joker between"),
    ],
)
def test_legal_cards(hand: str, table: str, legal: str) -> None:
    assert holding(PLAIN, hand, table, place=1).codes() == legal.split()


@pytest.mark.parametrize(
    ("order", "played", "taker"),
    [
        pytest.param((0, 1, 2), "QS AS 9S", 0, id="WW-V5"),
        pytest.param((1, 2, 0), "TH 5H AC", 2, id="WW-V6"),
        pytest.param((2, 0, 1), "JD AC KH", 2, id="WW-V7"),
        pytest.param((0, 1, 2), "5S AC 6S", 0, id="two follow, the last one higher"),
        pytest.param((0, 1, 2), "9S QS AS", 1, id="the middle card second"),
        pytest.param((0, 1, 2), "9S AS QS", 2, id="the middle card last"),
    ],
)
def test_winners(order: tuple[int, ...], played: str, taker: int) -> None:
    assert winner(PLAIN, order, played, None) == taker


def trick(hands: dict[int, str], played: str, leader: int) -> kibitz.Deal:
    """Return a deal with these Jokers dealt, in which the cards of a trick have been played."""
    deal = dealing(hands)
    deal.phase = Trick.of(PLAIN.clockwise(leader))
    deal.place = deal.turn = leader
    for seat, card in zip(PLAIN.clockwise(leader), cards(PLAIN, played), strict=True):
        assert deal.turn == seat
        deal.hands[seat] |= 1 << card
        deal.apply(card)
    return deal


@pytest.mark.parametrize(
    ("hands", "played", "leader", "chooser"),
    [
        pytest.param({1: "X1", 2: "X2"}, "KC X1 AC", 0, 1, id="WW-V8"),
        pytest.param({0: "X2", 1: "X1"}, "8C X2 X1", 2, 2, id="WW-V9"),
        pytest.param({1: "X1", 2: "X2"}, "X1 X2 5S", 1, 0, id="WW-V10-both"),
        pytest.param({1: "X1", 2: "X2"}, "X1 KD 5S", 1, 1, id="WW-V10-one"),
    ],
)
def test_awards(hands: dict[int, str], played: str, leader: int, chooser: int) -> None:
    for award in range(3):
        deal = trick(hands, played, leader)
        assert (deal.turn, deal.codes()) == (chooser, AWARDS)
        assert deal.taken == [0, 0, 0]
        deal.play(f"award:{award}")
        assert deal.taken == [int(seat == award) for seat in range(3)]
        assert deal.turn == award, "whoever is given the trick leads"
        assert str(deal.view(0).calls[-1][1]) == f"award:{award}"


def test_a_soloist_may_award_the_last_two_tricks() -> None:
    deal = dealing({0: "X1 X2"})
    for seat in range(3):
        deal.hands[seat] = sum(1 << card for card in deal.hand(seat)[-2:])
    deal.turn = deal.place = deal.phase.place
    assert deal.codes() == ["X1", "X2"]
    deal.play("X2")
    deal.play(deal.codes()[0])
    deal.play(deal.codes()[0])
    assert (deal.turn, deal.codes()) == (0, AWARDS)
    deal.play("award:0")
    assert deal.codes() == ["X1"]
    deal.play("X1")
    deal.play(deal.codes()[0])
    deal.play(deal.codes()[0])
    deal.play("award:2")
    assert deal.over
    assert deal.taken == [1, 0, 1]


def test_ww_v11_a_match_to_a_target() -> None:
    game = WhosWho(end="target:100")
    match = scores_of(game, [(88, 0, 79), (0, 91, 0)])
    deal = game.new_deal(stacked(game, 0, {0: "X1 X2"}), totals=match.totals)
    deal.taken = [3, 7, 4]
    scores = game.score(deal).scores
    assert scores == (0, 13, 13)
    after = scores_of(game, [(88, 0, 79), (0, 91, 0), scores])
    assert after.totals == (88, 104, 92)
    assert (after.over, after.returns) == (True, (-1, 2, -1))
    assert not match.over


def test_ww_v12_the_chance_to_be_soloist_without_a_joker() -> None:
    jokers = combinations(range(28), 2)  # both among the cards of the other two hands
    apart = sum((one < 14) != (other < 14) for one, other in jokers)
    assert apart == 196
    assert len([*combinations(range(28), 2)]) == 378


def test_equal_tops_share() -> None:
    game = WhosWho(end="target:100", max_deals=2)
    assert scores_of(game, [(0, 100, 100)]).returns == (-2, 1, 1)
    assert scores_of(game, [(10, 10, 10), (0, 0, 0)]).returns == (0, 0, 0)
    assert not scores_of(game, [(99, 0, 0)]).over


def test_roles_are_told_only_as_they_follow_from_the_play() -> None:
    split = dealing({1: "X1", 2: "X2"})
    known = [(split.view(s).state("role"), split.view(s).state("soloist")) for s in range(3)]
    assert known == [(None, None), ("partner", None), ("partner", None)]
    both = dealing({1: "X1 X2"})
    known = [(both.view(s).state("role"), both.view(s).state("soloist")) for s in range(3)]
    assert known == [(None, None), ("soloist", 1), (None, None)]
    assert both.view(1).partners(0) == (2,)
    assert both.view(0).partners() == ()


def test_a_joker_on_the_table_tells_its_partner_everything() -> None:
    split = PLAIN.new_deal(
        stacked(PLAIN, 0, {1: "5C", 2: "X1 5D 6D 7D 8D 9D TD JD QD KD AD 5H 6H 7H", 0: "X2"})
    )
    split.play("5C")
    split.play("X1")
    known = [(split.view(s).state("role"), split.view(s).state("soloist")) for s in range(3)]
    assert known == [("partner", 1), (None, None), ("partner", None)]
    assert split.view(0).partners() == (2,)


def test_nothing_says_who_the_soloist_is() -> None:
    deal = dealing({1: "X1 X2"})
    for seat in (0, 2):
        view = deal.view(seat)
        assert (view.declarer, view.contract) == (None, None)
        assert not any(event.detail in JOKERS for event in view.events)


@pytest.mark.parametrize(
    ("game", "worst"),
    [(PLAIN, 23), (LARGE, 27), (REVISED, 17), (LARGE_REVISED, 19)],
    ids=["42", "54", "42 revised", "54 revised"],
)
def test_forfeits(game: WhosWho, worst: int) -> None:
    assert game.worst(2) == (worst, worst, 0)
    tricks = 14 if game.pack == 42 else 18
    lost = [
        score(game, solo, (one, tricks - solo - one))
        for solo in range(tricks + 1)
        for one in range(tricks - solo + 1)
    ]
    assert max(scores[1] for scores in lost) == worst
