"""Every worked example and test vector of Solo Whist's deal, play and score, by its id."""

import kibitz
import pytest
from kibitz.cards import mask_of
from kibitz.games.solo_whist.rules import DUMMY, SoloWhist

from tests.sdk.rules.situations import cards, scores_of, stacked, winner
from tests.sdk.rules.solo import IRISH, PLAIN, SLAMS, THREE, after


def score(game: SoloWhist, calls: str, tricks: str, dealer: int = 3) -> tuple[float, ...]:
    """Return the scores of a contract when places have taken so many tricks."""
    deal = after(calls, game, dealer)
    deal.taken = [int(one) for one in tricks.split()]
    return game.score(deal).scores


@pytest.mark.parametrize(
    ("options", "calls", "tricks", "scores"),
    [
        pytest.param(
            {}, "pass prop pass cop", "2 5 3 3", (-1, 1, -1, 1), id="SW-E1"
        ),
        pytest.param(
            {}, "pass prop cop pass", "3 4 3 3", (1, -1, -1, 1), id="SW-E2"
        ),
        pytest.param({}, "solo pass pass pass", "5 3 3 2", (3, -1, -1, -1), id="SW-E3"),
        pytest.param({}, "solo pass pass pass", "4 3 3 3", (-3, 1, 1, 1), id="SW-E4"),
        pytest.param(
            {}, "pass pass misere pass", "4 4 1 4", (2, 2, -6, 2), id="SW-E5"
        ),
        pytest.param(
            {}, "pass pass pass abundance trump:C", "1 1 0 11", (-3, -3, -3, 9), id="SW-E6"
        ),
        pytest.param(
            {}, "pass ouverte pass pass", "5 0 4 4", (-4, 12, -4, -4), id="SW-E7"
        ),
        pytest.param({}, "declared pass pass pass", "12 1 0 0", (-18, 6, 6, 6), id="SW-E8"),
        pytest.param(
            {"overtricks": 5}, "solo pass pass pass", "7 2 2 2", (21, -7, -7, -7), id="SW-E9"
        ),
        pytest.param(
            {"overtricks": 5}, "solo pass pass pass", "3 4 3 3", (-21, 7, 7, 7), id="SW-E10"
        ),
        pytest.param(
            {"overtricks": 5}, "pass abundance pass pass trump:S", "1 11 1 0",
            (-19, 57, -19, -19), id="SW-E11",
        ),
        pytest.param(
            {"overtricks": 5}, "pass abundance pass pass trump:S", "3 7 2 1",
            (17, -51, 17, 17), id="SW-E12",
        ),
        pytest.param(
            {"overtricks": 5}, "prop pass cop pass", "5 2 5 1", (7, -7, 7, -7), id="SW-E13"
        ),
        pytest.param(
            {"prop_need": 7}, "prop pass cop pass", "4 3 3 3", (1, -1, 1, -1), id="SW-E14"
        ),
        pytest.param(
            {"variant": "irish"}, "bid:7H pass pass pass", "7 2 2 2", (21, -7, -7, -7),
            id="SW-E15-bid",
        ),
        pytest.param(
            {"variant": "irish"}, "misere pass pass pass", "1 4 4 4", (-36, 12, 12, 12),
            id="SW-E15-misere",
        ),
        pytest.param({}, "pass pass pass royal", "2 1 1 9", (-3, -3, -3, 9), id="royal"),
        pytest.param(
            {"overtricks": 5}, "royal pass pass pass", "11 1 1 0", (57, -19, -19, -19),
            id="over a royal like an abundance",
        ),
        pytest.param(
            {"overtricks": 6}, "misere pass pass pass", "2 5 3 3", (-36, 12, 12, 12),
            id="no undertricks in a misere",
        ),
    ],
)  # fmt: skip
def test_score(
    options: dict[str, object], calls: str, tricks: str, scores: tuple[float, ...]
) -> None:
    assert score(SoloWhist(**options), calls, tricks) == scores  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "won", "plain", "each"),
    [
        ("prop", 8, 2, "10"),
        ("prop", 10, 2, "14"),
        ("prop", 6, -2, "-14"),
        ("solo", 5, 2, "10"),
        ("solo", 3, -2, "-14"),
        ("misere", 0, 4, "20"),
        ("abundance", 11, 6, "38"),
        ("royal", 8, -6, "-32"),
        ("petit", 12, 7, "35"),
        ("petit", 11, -7, "-35"),
        ("ouverte", 0, 8, "40"),
        ("grand", 13, 12, "60"),
        ("grand", 12, -12, "-60"),
    ],
)
def test_slams_double_every_payment(call: str, won: int, plain: int, each: str) -> None:
    for game, unit in ((SLAMS, plain), (SoloWhist(slams=True, overtricks=5), int(each))):
        named = " trump:C" if call in {"abundance", "petit", "grand"} else ""
        calls = f"{call} cop pass pass" if call == "prop" else f"{call} pass pass pass{named}"
        scores = score(game, calls, f"{won} 0 {13 - won} 0")
        own = unit if call == "prop" else 3 * unit
        assert scores == (own, unit if call == "prop" else -unit, -unit, -unit)


def receivers(game: SoloWhist, dealer: int) -> list[int]:
    """Return the place that each card of the deck goes to."""
    layout = game.layouts[dealer]
    where = {position: place for place, positions in layout.hands for position in positions}
    return [where[position] for position in range(52)]


def test_sw_v1_packets_of_three() -> None:
    to = receivers(PLAIN, 3)
    mine = [position for position, place in enumerate(to) if place == 0]
    assert mine == [0, 1, 2, 12, 13, 14, 24, 25, 26, 36, 37, 38, 48]
    assert to[51] == 3


def test_the_formulas_of_the_deals() -> None:
    for dealer in range(4):
        eldest = (dealer + 1) % 4
        threes = [(eldest + i % 12 // 3 if i < 48 else eldest + i - 48) % 4 for i in range(52)]
        assert receivers(PLAIN, dealer) == threes
        ones = [(eldest + i) % 4 for i in range(52)]
        assert receivers(SoloWhist(deal="ones"), dealer) == ones
        rotating = receivers(SoloWhist(deal="rotating4"), dealer)
        seats = [(eldest + i) % 4 for i in range(4)]
        packets = (4, 3, 3, 3, 3, 4, 3, 3, 3, 3, 4, 3, 3, 3, 3, 4)
        assert rotating == [seats[i % 4] for i, size in enumerate(packets) for _ in range(size)]


def test_sw_v18_the_deal_for_three() -> None:
    to = receivers(THREE, 0)
    places = {place: [p for p, one in enumerate(to) if one == place] for place in range(4)}
    assert places[1] == [*range(3), *range(12, 15), *range(24, 27), *range(36, 39), 48]
    assert places[2] == [*range(3, 6), *range(15, 18), *range(27, 30), *range(39, 42), 49]
    assert places[DUMMY] == [*range(6, 9), *range(18, 21), *range(30, 33), *range(42, 45), 50]
    assert places[0] == [*range(9, 12), *range(21, 24), *range(33, 36), *range(45, 48), 51]
    for deal in ("rotating4", "ones"):
        assert receivers(SoloWhist(variant="irish3", deal=deal), 0)[51] == 0


@pytest.mark.parametrize(
    ("calls", "leader"),
    [
        pytest.param("pass pass solo pass", 0, id="SW-V11-solo"),
        pytest.param("pass pass ouverte pass", 0, id="SW-V11-ouverte"),
        pytest.param("pass pass declared pass", 2, id="SW-V11-declared"),
    ],
)
def test_who_leads(calls: str, leader: int) -> None:
    assert after(calls).turn == leader
    assert after(calls.replace("declared", "misere")).turn == 0


def test_bidder_leads_in_both_slams() -> None:
    assert after("pass pass petit pass trump:D", SLAMS).turn == 2
    assert after("pass pass grand pass trump:D", SLAMS).turn == 2
    assert after("pass pass declared pass trump:D", SoloWhist(declared_trump="bidder")).turn == 2


def test_sw_v12_no_trumps_in_a_misere() -> None:
    assert winner(PLAIN, (0, 1, 2, 3), "KH AH 2S TH", None) == 1
    deck = stacked(PLAIN, 3, {3: "AS"})
    deck[deck.index("AS")], deck[51] = deck[51], "AS"
    deal = PLAIN.new_deal(deck, 3)
    assert deal.view(0).state("turned") == "S"
    for call in ("misere", "pass", "pass", "pass"):
        deal.play(call)
    assert deal.trump is None


def trumps(calls: str, game: SoloWhist, number: int = 0) -> str | None:
    cut = "QH" if game.needs_cut(number) else None
    deal = game.new_deal(kibitz.shuffle(game, 1), 3, number, cut)
    for call in calls.split():
        deal.play(call)
    return deal.view(1).trump


def test_trumps_of_each_contract() -> None:
    turned = kibitz.shuffle(PLAIN, 1)[51][1]
    for call in ("prop cop pass pass", "solo pass pass pass", "royal pass pass pass"):
        assert trumps(call, PLAIN) == turned
    for call in ("misere", "ouverte", "declared"):
        assert trumps(f"{call} pass pass pass", PLAIN) is None
    assert trumps("abundance pass pass pass trump:D", PLAIN) == "D"
    assert trumps("solo pass pass pass", SoloWhist(trump="second_pack")) == "H"
    for number, suit in enumerate("HCDSH"):
        assert trumps("solo pass pass pass", SoloWhist(trump="cycle"), number) == suit
    game = SoloWhist(trump="cycle_nt")
    for number, its in enumerate(["H", "C", "D", "S", None, "H"]):
        assert trumps("royal pass pass pass", game, number) == its
        assert trumps("abundance pass pass pass trump:S", game, number) == "S"
    for bid, its in (("7H", "H"), ("13NT", None), ("10C", "C")):
        assert trumps(f"bid:{bid} pass pass pass", IRISH) == its
    assert trumps("misere pass pass pass", IRISH) is None


def test_the_turned_card_is_seen_by_all() -> None:
    deal = after("")
    code = kibitz.shuffle(PLAIN, 1)[51]
    assert [card.code for card in deal.view(1).shown[3]] == [code]
    assert deal.view(0).state("turned") == code[1]
    other = after("", SoloWhist(trump="second_pack"))
    assert other.view(0).state("turned") == "H"
    assert other.view(0).shown == [[], [], [], []]
    assert after("", SoloWhist(trump="cycle_nt")).view(0).state("turned") == "H"
    assert after("", IRISH).view(0).state("turned") is None


def test_an_open_misere_is_shown_after_the_first_trick() -> None:
    low = "2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 4H 5H 2S"
    deal = PLAIN.new_deal(stacked(PLAIN, 3, {0: low}), 3)
    for call in ("ouverte", "pass", "pass", "pass"):
        deal.play(call)
    assert deal.view(1).shown[0] == []
    for _ in range(4):
        assert deal.view(1).shown[0] == []
        deal.play(deal.codes()[0] if deal.turn == 0 else deal.codes()[-1])
    assert len(deal.view(1).shown[0]) == 12
    assert mask_of(deal.view(1).shown[0]) == deal.hands[0]
    assert deal.players == (0, 1, 2, 3)


def test_sw_v19_the_dummy_sits_after_bidders_left() -> None:
    deal = after("pass bid:7H pass", THREE, dealer=0)
    assert len(deal.view(1).shown[DUMMY]) == 13
    order, chooser = [], []
    for _ in range(4):
        order.append(deal.place)
        chooser.append(deal.turn)
        deal.play(deal.codes()[0])
    assert order == [1, 2, 0, DUMMY]
    assert chooser == [1, 2, 0, 2]
    assert deal.phase.place in {0, 1, 2, DUMMY}


def test_the_dummy_is_open_before_the_bidding() -> None:
    deal = after("", THREE, dealer=0)
    for seat in range(3):
        assert mask_of(deal.view(seat).shown[DUMMY]) == deal.hands[DUMMY]
    assert deal.turn == 1


@pytest.mark.parametrize(
    ("tricks", "scores"),
    [("2 4 5 2", (-7, -7, 14)), ("2 5 4 2", (7, 7, -14))],
    ids=["SW-V20-made", "SW-V20-failed"],
)
def test_scores_for_three(tricks: str, scores: tuple[float, ...]) -> None:
    assert score(THREE, "pass bid:7H pass", tricks, dealer=0) == scores


def test_a_trick_of_the_dummy_breaks_a_misere() -> None:
    assert score(THREE, "misere pass pass", "6 6 0 1", dealer=1) == (12, 12, -24)
    assert score(THREE, "misere pass pass", "7 6 0 0", dealer=1) == (-12, -12, 24)


def test_partners_are_told_once_they_are_settled() -> None:
    deal = after("pass prop pass cop")
    view = deal.view(0)
    assert (view.declarer, str(view.contract)) == (1, "prop")
    assert view.partners(1) == (3,)
    assert view.partners(0) == (2,)
    assert after("solo pass pass pass").view(0).partners(1) == (2, 3)


def test_following() -> None:
    deal = after("solo pass pass pass")
    deal.hands[1] = mask_of(cards(PLAIN, "3C JC AD"))
    deal.hands[0] |= mask_of(cards(PLAIN, "9C"))
    deal.play("9C")
    assert deal.codes() == ["3C", "JC"]


@pytest.mark.parametrize(
    ("options", "lost", "won"),
    [
        ({}, -18, 6),
        ({"overtricks": 5}, -90, 30),
        ({"slams": True}, -36, 12),
        ({"slams": True, "overtricks": 4}, -144, 48),
        ({"variant": "irish"}, -39, 13),
        ({"variant": "irish", "overtricks": 4}, -39, 13),
        ({"variant": "irish3"}, -26, 13),
    ],
)
def test_forfeits(options: dict[str, object], lost: int, won: int) -> None:
    game = SoloWhist(**options)  # type: ignore[arg-type]
    for offender in range(game.seats):
        assert game.worst(offender) == tuple(
            lost if seat == offender else won for seat in range(game.seats)
        )


def test_matches() -> None:
    assert SoloWhist().end == "deals:16"
    assert THREE.end == "deals:15"
    assert SoloWhist(end="deals:4").options()["end"] == "deals:4"
    match = scores_of(SoloWhist(end="deals:4"), [(3, -1, -1, -1)] * 4)
    assert match.returns == (12, -4, -4, -4)
    for options in ({"end": "deals:6"}, {"variant": "irish3", "end": "deals:16"}):
        with pytest.raises(kibitz.OptionError, match="a multiple of"):
            SoloWhist(**options)  # type: ignore[arg-type]
    with pytest.raises(kibitz.OptionError) as caught:
        SoloWhist(variant="irish", shuffle="after_high")
    assert caught.value.reason == "OPTIONS_CLASH"
