"""Every worked example and test vector of Whiskey, by its id."""

import kibitz
import pytest
from kibitz.deal import Contract
from kibitz.games.whiskey import DUMMY, Whiskey

from tests.sdk.rules.situations import scores_of, stacked, winner

PLAIN = Whiskey()
SHORT_END = Whiskey(end_passes=2)
CODES = {"P": "pass", "X": "double", "XX": "redouble"}


def after(calls: str, game: Whiskey = PLAIN, dealer: int = 0) -> kibitz.Deal:
    deal = game.new_deal(kibitz.shuffle(game, 1), dealer=dealer)
    for call in calls.split():
        deal.play(CODES.get(call, f"bid:{call}"))
    return deal


def outcome(deal: kibitz.Deal) -> str:
    calls = [event for event in deal.events if event.what is kibitz.What.CALLED]
    if deal.over:
        assert deal.scores == (0, 0, 0)
        return f"thrown in after {len(calls)} calls"
    assert deal.codes()[0] == "win:C", "declarer announces"
    declarer, bid, stake, *_ = deal.contract
    assert deal.turn == declarer
    return f"declarer {declarer} bid {bid} x{stake} after {len(calls)} calls"


def score(bid: int, stake: int, aim: str, won: int) -> tuple[float, ...]:
    deal = PLAIN.new_deal(kibitz.shuffle(PLAIN, 1))
    deal.contract = Contract(0, bid, stake, name=aim)
    deal.taken = [won // 2, 13 - won, 0, won - won // 2]
    return PLAIN.score(deal).scores


@pytest.mark.parametrize(
    ("bid", "stake", "aim", "won", "points"),
    [
        pytest.param(7, 1, "win", 7, 7, id="WK-E1"),
        pytest.param(7, 1, "win", 8, 4, id="WK-E2"),
        pytest.param(7, 1, "win", 5, -4, id="WK-E3"),
        pytest.param(7, 1, "win", 10, -7, id="WK-E4"),
        pytest.param(9, 1, "lose", 4, 9, id="WK-E5"),
        pytest.param(9, 1, "lose", 3, 5, id="WK-E6"),
        pytest.param(5, 2, "win", 6, 6, id="WK-E7"),
        pytest.param(11, 4, "win", 9, -24, id="WK-E8"),
        pytest.param(13, 4, "lose", 0, 52, id="WK-E9"),
        pytest.param(1, 1, "win", 2, 1, id="WK-E10-2"),
        pytest.param(1, 1, "win", 3, -1, id="WK-E10-3"),
        pytest.param(1, 1, "win", 4, -1, id="WK-E10-4"),
        pytest.param(10, 2, "lose", 6, -20, id="WK-E11"),
    ],
)
def test_score(bid: int, stake: int, aim: str, won: int, points: int) -> None:
    assert score(bid, stake, aim, won) == (points, 0, 0)


# The table of section 6: the bid, then exact, off by one, by two, by more.
TABLE = """
1 1 1 -1 -1 | 2 2 1 -1 -2 | 3 3 2 -2 -3 | 4 4 2 -2 -4 | 5 5 3 -3 -5 | 6 6 3 -3 -6 | 7 7 4 -4 -7
8 8 4 -4 -8 | 9 9 5 -5 -9 | 10 10 5 -5 -10 | 11 11 6 -6 -11 | 12 12 6 -6 -12 | 13 13 7 -7 -13
"""


@pytest.mark.parametrize("row", TABLE.replace("\n", "|").strip("|").split("|"))
def test_the_whole_table_of_scores(row: str) -> None:
    bid, *values = map(int, row.split())
    for stake in (1, 2, 4):
        for won in range(14):
            expected = stake * values[min(3, abs(won - bid))]
            assert score(bid, stake, "win", won)[0] == expected
            assert score(bid, stake, "lose", 13 - won)[0] == expected


def test_wk_e12_zero_sum_return() -> None:
    game = Whiskey(end="deals:3")
    match = scores_of(game, [(7, 0, 0), (0, 0, 0), (0, 0, 0)])
    assert match.returns == (14, -7, -7)


def test_wk_v1_the_dummy_is_turned_up() -> None:
    deck = kibitz.shuffle(PLAIN, 1)
    seen = {}
    calls = [str(n) for n in range(1, 14)]
    for made in range(13):
        deal = after(" ".join(calls[:made]))
        seen[made] = [card.code for card in deal.view(1).shown[DUMMY]]
        assert sorted(seen[made]) == sorted(deck[3::4][: made + 2])
    assert [len(seen[made]) for made in (0, 1, 4, 11, 12)] == [2, 3, 6, 13, 13]


@pytest.mark.parametrize(
    ("calls", "dealer", "default", "short"),
    [
        pytest.param(
            "5 P P P", 0, "declarer 0 bid 5 x1 after 4 calls", "declarer 0 bid 5 x1 after 3 calls",
            id="WK-V2",
        ),
        pytest.param(
            "P 4 X P XX P 6 P P P", 0, "declarer 0 bid 6 x1 after 10 calls", None, id="WK-V3"
        ),
        pytest.param(
            "P P P", 2, "thrown in after 3 calls", "thrown in after 3 calls", id="WK-V4"
        ),
        pytest.param("3 X P P P", 0, "declarer 0 bid 3 x2 after 5 calls", None, id="WK-V5"),
        pytest.param(
            "P P 2 P P 8 P P P", 1, "declarer 0 bid 8 x1 after 9 calls",
            "declarer 0 bid 2 x1 after 5 calls", id="WK-V13",
        ),
        pytest.param("3 X P P P", 0, "declarer 0 bid 3 x2 after 5 calls",
                     "declarer 0 bid 3 x2 after 4 calls", id="WK-V14-end"),
    ],
)  # fmt: skip
def test_auctions(calls: str, dealer: int, default: str, short: str | None) -> None:
    assert outcome(after(calls, PLAIN, dealer)) == default
    if short is not None:
        length = int(short.split()[-2])
        fewer = " ".join(calls.split()[:length])
        assert outcome(after(fewer, SHORT_END, dealer)) == short


@pytest.mark.parametrize(
    ("calls", "seat", "legal"),
    [
        pytest.param("3 X", 2, "P 4-13", id="WK-V6-seat2"),
        pytest.param("3 X P", 0, "P XX 4-13", id="WK-V6-seat0"),
        pytest.param("13", 1, "P X", id="WK-V7-seat1"),
        pytest.param("5 P P", 0, "P 6-13", id="WK-V7-seat0"),
        pytest.param("3 X P P", 1, "P 4-13", id="WK-V14-turn"),
        pytest.param("", 0, "P 1-13", id="first call"),
    ],
)
def test_legal_calls(calls: str, seat: int, legal: str) -> None:
    expected = []
    for word in legal.split():
        if "-" in word:
            low, high = map(int, word.split("-"))
            expected += [f"bid:{n}" for n in range(low, high + 1)]
        else:
            expected.append(CODES[word])
    deal = after(calls)
    assert deal.turn == seat
    assert deal.codes() == expected


def test_wk_v8_the_dummy_sits_between_the_opponents() -> None:
    deal = after("P 5 P P P")
    deal.play("win:NT")
    order, chooser = [], []
    for _ in range(4):
        order.append(deal.place)
        chooser.append(deal.turn)
        view = deal.view(deal.turn or 0)
        assert view.place == deal.place
        deal.play(deal.codes()[0])
    assert order == [2, DUMMY, 0, 1]
    assert chooser == [2, 1, 0, 1]


def test_wk_v9_and_wk_v10_the_sources_tricks() -> None:
    ring = (2, DUMMY, 0, 1)
    assert winner(PLAIN, ring, "AC 9C JC 2H", "H") == 1
    assert winner(PLAIN, ring, "QH KH 9H AS", None) == DUMMY


def test_the_dummy_leads_when_it_has_won() -> None:
    deck = stacked(PLAIN, 0, {DUMMY: "AC AD AH AS KC KD KH KS QC QD QH QS JC"})
    deal = PLAIN.new_deal(deck)
    for code in ("bid:5", "pass", "pass", "pass", "win:NT"):
        deal.play(code)
    for _ in range(4):
        deal.play(deal.codes()[-1])
    assert deal.taken[DUMMY] == 1
    assert (deal.place, deal.turn) == (DUMMY, 0)
    assert deal.view(0).place == DUMMY


def test_wk_v11_announcements() -> None:
    deal = after("5 P P P")
    assert deal.codes() == [
        f"{aim}:{suit}" for aim in ("win", "lose") for suit in ("C", "D", "H", "S", "NT")
    ]
    assert len(deal.view(1).shown[DUMMY]) == 13
    deal.play("lose:S")
    view = deal.view(2)
    assert (view.trump, view.declarer, str(view.contract)) == ("S", 0, "bid:5")
    assert view.partners() == (1,)
    assert view.partners(0) == ()


def test_wk_v12_the_deal() -> None:
    deck = kibitz.shuffle(PLAIN, 1)
    deal = PLAIN.new_deal(deck, dealer=0)
    number = PLAIN.cards.number
    for place, first in ((1, 0), (2, 1), (0, 2), (DUMMY, 3)):
        assert deal.hand(place) == tuple(sorted(number[code] for code in deck[first::4]))
    turned = [event.detail for event in deal.events if event.what is kibitz.What.TURNED]
    assert turned == [number[deck[3]], number[deck[7]]]


def test_a_thrown_in_deal_has_five_dummy_cards_open() -> None:
    assert len(after("P P P").view(0).shown[DUMMY]) == 5


def test_left_of_dealer_may_call_first() -> None:
    assert Whiskey(first_call="left").new_deal(kibitz.shuffle(PLAIN, 1), dealer=2).turn == 0
    assert PLAIN.new_deal(kibitz.shuffle(PLAIN, 1), dealer=2).turn == 2


@pytest.mark.parametrize(
    ("game", "length"), [(PLAIN, 81), (SHORT_END, 68)], ids=["default", "end_passes=2"]
)
def test_the_longest_auction(game: Whiskey, length: int) -> None:
    known: dict[object, int] = {}

    def longest(deal: kibitz.Deal) -> int:
        if deal.over or deal.codes()[0] != "pass":
            return 0
        calls = [event.detail for event in deal.events if event.what is kibitz.What.CALLED]
        passes = next((i for i, call in enumerate(calls[::-1]) if call != 52), len(calls))
        key = (deal.contract, deal.turn, passes)
        if key not in known:
            known[key] = 0
            for call in deal.legal():
                twin = deal.copy()
                twin.apply(call)
                known[key] = max(known[key], 1 + longest(twin))
        return known[key]

    assert longest(after("", game)) == length


def test_matches() -> None:
    target = Whiskey(end="target:20", max_deals=3)
    assert scores_of(target, [(20, 0, 0)]).returns == (2, -1, -1)
    assert scores_of(target, [(7, 0, 0), (0, 7, 0), (0, 0, -4)]).returns == (1, 1, -2)
    assert scores_of(target, [(0, 0, 0)] * 3).returns == (0, 0, 0)
    assert not scores_of(target, [(19, 0, 0), (0, 0, 0)]).over


def test_forfeits() -> None:
    assert PLAIN.worst(1) == (0, -52, 0)
