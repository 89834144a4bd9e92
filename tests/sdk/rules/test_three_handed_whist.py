"""Every worked example and test vector of Three-Handed Whist, by its id."""

from math import comb

import kibitz
import pytest
from kibitz.cards import mask_of
from kibitz.games.three_handed_whist import ThreeHandedWhist
from kibitz.phases import Exchange

from tests.sdk.rules.situations import cards, holding, scores_of, winner

PLAIN = ThreeHandedWhist()
BOTTOM = ThreeHandedWhist(cut="bottom")
AFTER = ThreeHandedWhist(name_trump="after")


def dealt(number: int, game: ThreeHandedWhist = PLAIN, seed: int = 1) -> kibitz.Deal:
    """Return a deal of a match, by its number."""
    cut = kibitz.shuffle(game, "cut")[0] if game.needs_cut(number) else None
    return game.new_deal(kibitz.shuffle(game, seed), number % 3, number, cut)


def exchange(deal: kibitz.Deal, count: int) -> None:
    """Exchange the first cards that may be."""
    deal.play(f"exchange:{count}")
    for _ in range(count):
        deal.play(deal.codes()[0])


def score(round_number: int, tricks: str, dealer: int = 0) -> list[float]:
    """Return the points of dealer, left and right for their tricks."""
    deal = dealt(3 * (round_number - 1) + dealer)
    for seat, taken in zip(PLAIN.clockwise(dealer), tricks.split(), strict=True):
        deal.taken[seat] = int(taken)
    scores = PLAIN.score(deal).scores
    return [scores[seat] for seat in PLAIN.clockwise(dealer)]


@pytest.mark.parametrize(
    ("round_number", "tricks", "points"),
    [
        pytest.param(2, "8 3 2", [2, -1, -1], id="TW-E1"),
        pytest.param(4, "4 2 7", [-1, 2, -1], id="TW-E2"),
        pytest.param(1, "6 4 3", [0, 0, 0], id="TW-E3"),
        pytest.param(3, "13 0 0", [7, -4, -3], id="TW-E4"),
        pytest.param(4, "13 0 0", [-10, 4, 6], id="TW-E5"),
        pytest.param(4, "0 4 9", [3, 0, -3], id="TW-E6"),
        pytest.param(1, "2 8 3", [-4, 4, 0], id="TW-E7"),
    ],
)
def test_score(round_number: int, tricks: str, points: list[float]) -> None:
    for dealer in range(3):
        assert score(round_number, tricks, dealer) == points


def test_tw_e8_a_whole_round() -> None:
    totals = [0.0, 0.0, 0.0]
    for dealer, tricks in enumerate(("8 3 2", "5 5 3", "7 2 4")):
        for seat, points in zip(PLAIN.clockwise(dealer), score(2, tricks, dealer), strict=True):
            totals[seat] += points
    assert totals == [0, -1, 1]


def test_every_split_of_the_tricks_adds_up_to_nothing() -> None:
    for mine in range(14):
        for left in range(14 - mine):
            for round_number in (1, 2, 3, 4):
                assert sum(score(round_number, f"{mine} {left} {13 - mine - left}")) == 0


def test_tw_v1_the_deal() -> None:
    for dealer in range(3):
        deck = [PLAIN.cards.number[code] for code in kibitz.shuffle(PLAIN, 1)]
        deal = dealt(dealer)
        left, right = (dealer + 1) % 3, (dealer + 2) % 3
        for place, first in ((left, 0), (right, 1), (dealer, 3)):
            assert deal.hand(place) == tuple(sorted(deck[first::4]))
        assert deal.stock == tuple(reversed(deck[2::4]))


def test_tw_v2_the_pile_is_drawn_from_its_top() -> None:
    deal, left = dealt(0), 1
    before = deal.hands[0]
    exchange(deal, 3)
    drawn = deal.hands[0] & ~before
    assert drawn == mask_of(deal.deck[position] for position in (50, 46, 42))
    before = deal.hands[left]
    exchange(deal, 1)
    assert deal.hands[left] & ~before == mask_of([deal.deck[38]])


def limit(deal: kibitz.Deal) -> str:
    """Return who is asked how many cards it exchanges, and the most it may."""
    codes = deal.codes()
    assert codes == [f"exchange:{count}" for count in range(len(codes))]
    return f"{deal.turn} 0-{len(codes) - 1}"


def test_tw_v3_limits_at_each_prompt() -> None:
    deal = dealt(6)
    limits = []
    for count in (5, 6, 0):
        limits.append(limit(deal))
        exchange(deal, count)
    assert limits == ["0 0-13", "1 0-8", "2 0-2"]
    assert len(deal.stock) == 2
    laid = [event for event in deal.events if event.what is kibitz.What.DISCARDED]
    assert len(laid) == 11
    assert (deal.turn, deal.codes()[0] in PLAIN.cards.codes) == (0, True)


def test_tw_v4_an_empty_pile_asks_nobody() -> None:
    deal = dealt(7)
    assert limit(deal) == "1 0-13"
    exchange(deal, 13)
    assert deal.stock == ()
    assert deal.turn == 1
    assert set(deal.codes()) <= set(PLAIN.cards.codes)


def sets_of_cards(deal: kibitz.Deal) -> int:
    """Return how many different sets of cards may be exchanged now."""
    size = deal.hands[deal.turn or 0].bit_count()
    return sum(comb(size, count) for count in range(len(deal.legal())))


def test_tw_v5_and_tw_v12_numbers_of_sets() -> None:
    deal = dealt(6)
    assert (len(deal.legal()), sets_of_cards(deal)) == (14, 8192)
    exchange(deal, 11)
    exchange(deal, 0)
    assert (deal.turn, len(deal.legal()), sets_of_cards(deal)) == (2, 3, 92)


def test_every_set_of_cards_can_be_discarded_in_any_order() -> None:
    deal = dealt(6)
    hand = [PLAIN.cards.codes[card] for card in deal.hand(0)]
    deal.play("exchange:3")
    for code in (hand[7], hand[2], hand[12]):
        assert f"discard:{code}" in deal.codes()
        deal.play(f"discard:{code}")
    assert not deal.hands[0] & mask_of(cards(PLAIN, f"{hand[7]} {hand[2]} {hand[12]}"))
    assert deal.hands[0].bit_count() == 13


def test_tw_v6_dealers_of_a_match() -> None:
    match = PLAIN.new_match()
    dealers = []
    while not match.over:
        dealers.append(match.dealer)
        cut = "2C" if PLAIN.needs_cut(match.number) else None
        match.forfeit(match.new_deal(kibitz.shuffle(PLAIN, match.number), cut), 0, "a test")
    assert dealers == [0, 1, 2] * 4
    assert match.returns == (-120, 60, 60)


def test_tw_v7_dealer_leads() -> None:
    deal, order = dealt(8), []
    for _ in range(3):
        exchange(deal, 0)
    for _ in range(3):
        order.append(deal.turn)
        deal.play(deal.codes()[0])
    assert order == [2, 0, 1]


def test_tw_v8_and_tw_v9_winners() -> None:
    assert winner(PLAIN, (2, 0, 1), "TC KC 2D", "D") == 1
    assert winner(PLAIN, (2, 0, 1), "TC KC 2D", None) == 0


@pytest.mark.parametrize(
    ("table", "legal"), [("9C", "3C JC"), ("9S", "3C JC AD")], ids=["TW-V10-club", "TW-V10-spade"]
)
def test_legal_cards(table: str, legal: str) -> None:
    assert holding(PLAIN, "3C JC AD", table, place=1).codes() == legal.split()


def test_tw_v11_what_is_unknown_after_an_exchange() -> None:
    deal = dealt(6)
    exchange(deal, 0)
    exchange(deal, 4)
    exchange(deal, 0)
    view = deal.view(1)
    assert len(view.unseen) == 35
    assert view.held[0] + view.held[2] == 26
    assert view.stock == 9


def test_tw_v12_trumps_are_named_in_round_2() -> None:
    deal = dealt(4)
    assert (deal.turn, deal.codes()) == (1, ["trump:C", "trump:D", "trump:H", "trump:S"])
    deal.play("trump:H")
    assert (deal.view(0).trump, limit(deal)) == ("H", "1 0-13")


def test_tw_v13_naming_after_the_own_exchange() -> None:
    deal = dealt(5, AFTER)
    assert limit(deal) == "2 0-13"
    exchange(deal, 5)
    assert (deal.turn, len(deal.codes())) == (2, 4)
    deal.play("trump:S")
    assert limit(deal) == "0 0-8"


def test_trumps_are_named_even_after_the_whole_pile_is_drawn() -> None:
    for count in (0, 13):
        deal = dealt(3, AFTER)
        exchange(deal, count)
        assert deal.codes() == ["trump:C", "trump:D", "trump:H", "trump:S"]
        deal.play("trump:C")
        assert (deal.turn, deal.codes()[0].startswith("exchange")) == ((0, False), (1, True))[
            count == 0
        ]


def test_trumps_by_round() -> None:
    assert dealt(0).view(1).trump == kibitz.shuffle(PLAIN, "cut")[0][1]
    assert dealt(0).cut is not None
    assert [dealt(number).trump for number in (6, 8, 9, 11)] == [None] * 4
    bottom = dealt(1, BOTTOM)
    assert bottom.cut is None
    card = bottom.deck[51]
    for seat in range(3):
        assert bottom.view(seat).trump == BOTTOM.cards.codes[card][1]
    assert [int(one) for one in bottom.view(2).shown[1]] == [card]
    assert [dealt(number, BOTTOM).trump for number in (6, 9)] == [None] * 2


def test_the_card_shown_at_the_bottom_may_be_exchanged_unseen() -> None:
    deal = dealt(0, BOTTOM)
    code = BOTTOM.cards.codes[deal.deck[51]]
    deal.play("exchange:1")
    deal.play(f"discard:{code}")
    view = deal.view(1)
    assert view.shown[0] == []
    assert code in [card.code for card in view.unseen]
    assert [event.detail for event in view.events if event.what is kibitz.What.DISCARDED] == [-1]


def test_cut_cards() -> None:
    deck = kibitz.shuffle(PLAIN, 1)
    for game, number, cut in ((PLAIN, 0, None), (PLAIN, 3, "2C"), (BOTTOM, 0, "2C")):
        with pytest.raises(kibitz.DeckError) as caught:
            game.new_deal(deck, number % 3, number, cut)
        assert caught.value.reason == "BAD_CUT"


def test_there_are_twelve_deals() -> None:
    with pytest.raises(kibitz.DeckError, match="deals 0 to 11, no deal 12"):
        PLAIN.new_deal(kibitz.shuffle(PLAIN, 1), 0, 12)
    assert scores_of(PLAIN, [(1, -1, 0)] * 12).returns == (12, -12, 0)
    assert not scores_of(PLAIN, [(1, -1, 0)] * 11).over


def test_others_see_how_many_cards_are_exchanged_and_no_more() -> None:
    deal = dealt(6)
    deal.play("exchange:2")
    assert isinstance(deal.phase, Exchange)
    assert str(deal.view(2).calls[-1][1]) == "exchange:2"
    deal.play(deal.codes()[0])
    deal.play(deal.codes()[0])
    news = deal.seen(2)[-4:]
    assert [(event.what.name, event.detail) for event in news] == [
        ("DISCARDED", -1),
        ("DISCARDED", -1),
        ("DEALT", -1),
        ("DEALT", -1),
    ]
    assert all(event.detail >= 0 for event in deal.seen(0)[-4:])


def test_facts_of_a_view() -> None:
    assert dealt(4).view(0).state("round") == 2
    assert dealt(4).view(0).state("quota") == (3, 6, 4)
    assert dealt(10).view(2).state("quota") == (6, 3, 4)
    with pytest.raises(KeyError):
        dealt(4).view(0).state("soloist")


def test_forfeits() -> None:
    assert PLAIN.worst(1) == (5, -10, 5)
