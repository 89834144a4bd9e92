"""Every test vector of Solo Whist's auctions, by its id."""

from itertools import pairwise

import kibitz
import pytest
from kibitz.games.solo_whist.bidding import BIDS, IRISH_LADDER
from kibitz.games.solo_whist.rules import SoloWhist
from kibitz.phases import Auction

PLAIN = SoloWhist()
FAGELSON = kibitz.game("solo_whist", "morris_fagelson")
ABOVE = "misere abundance royal ouverte declared"


def after(calls: str, game: kibitz.Game = PLAIN, dealer: int = 3) -> kibitz.Deal:
    """Return a deal after some calls; with dealer 3 eldest is seat 0."""
    deal = game.new_deal(kibitz.shuffle(game, 1), dealer)
    for call in calls.split():
        assert isinstance(deal.phase, Auction), "the auction was over before"
        deal.play(call)
    return deal


def outcome(deal: kibitz.Deal) -> str:
    assert not isinstance(deal.phase, Auction), "the auction is not over"
    if deal.over:
        assert deal.scores == (0,) * deal.game.seats
        return "thrown in"
    declarer, _, _, partner, name = deal.contract
    with_it = f", cop by {partner}" if partner >= 0 else ""
    return f"{name} by {declarer}{with_it}"


@pytest.mark.parametrize(
    ("game", "calls", "result"),
    [
        pytest.param(PLAIN, "pass prop pass pass cop", "prop by 1, cop by 0", id="SW-V2"),
        pytest.param(PLAIN, "prop pass pass pass", "thrown in", id="SW-V3-throw_in"),
        pytest.param(
            SoloWhist(uncopped="raise"), "prop pass pass pass solo", "solo by 0", id="SW-V3-raise"
        ),
        pytest.param(
            PLAIN, "prop cop solo pass pass misere abundance pass", "abundance by 2", id="SW-V4"
        ),
        pytest.param(PLAIN, "pass pass pass pass", "thrown in", id="SW-V7"),
        pytest.param(PLAIN, "pass prop solo pass pass", "solo by 2", id="SW-V8"),
        pytest.param(
            PLAIN, "solo misere pass pass abundance royal ouverte pass", "ouverte by 0", id="SW-V9"
        ),
        pytest.param(FAGELSON, "pass prop pass pass pass solo", "solo by 1", id="SW-V15"),
        pytest.param(FAGELSON, "prop cop pass pass", "prop by 0, cop by 1", id="SW-V17"),
        pytest.param(PLAIN, "pass prop pass pass pass", "thrown in", id="eldest refuses"),
        pytest.param(
            SoloWhist(uncopped="raise"), "pass prop pass pass pass declared", "declared by 1",
            id="the proposer raises after eldest",
        ),
        pytest.param(
            SoloWhist(uncopped="raise"), "pass prop pass pass pass pass", "thrown in",
            id="the proposer does not raise",
        ),
        pytest.param(
            SoloWhist(uncopped="raise_solo"), "prop pass pass pass pass", "thrown in",
            id="eldest proposed and is asked",
        ),
        pytest.param(FAGELSON, "pass pass pass pass", "thrown in", id="single: four passes"),
        pytest.param(FAGELSON, "solo pass pass pass", "solo by 0", id="single: eldest's bid"),
        pytest.param(
            FAGELSON, "solo misere pass pass pass", "misere by 1", id="single: eldest overcalled"
        ),
        pytest.param(
            FAGELSON, "solo misere pass pass royal", "royal by 0", id="single: eldest again"
        ),
        pytest.param(
            FAGELSON, "pass pass prop pass cop", "prop by 2, cop by 0", id="single: eldest accepts"
        ),
        pytest.param(
            FAGELSON, "pass pass prop pass pass pass", "thrown in", id="single: nobody accepts"
        ),
        pytest.param(
            FAGELSON, "prop pass pass pass solo", "solo by 0", id="single: eldest alone raises"
        ),
        pytest.param(
            SoloWhist(rounds="single"), "prop pass pass pass", "thrown in", id="single, throw_in"
        ),
        pytest.param(
            SoloWhist(rounds="single"), "pass pass prop pass pass", "thrown in",
            id="single, throw_in after eldest",
        ),
        pytest.param(
            SoloWhist(variant="irish"), "pass pass bid:1C pass", "bid:1C by 2", id="irish"
        ),
        pytest.param(
            SoloWhist(variant="irish"), "bid:1C bid:1D pass pass bid:11NT misere bid:12C pass",
            "bid:12C by 0", id="irish, a misere between",
        ),
        pytest.param(SoloWhist(variant="irish"), "pass pass pass pass", "thrown in", id="irish 0"),
    ],
)  # fmt: skip
def test_outcomes(game: kibitz.Game, calls: str, result: str) -> None:
    deal = after(calls, game)
    if not deal.over and deal.codes()[0].startswith("trump:"):
        deal.play("trump:C")
    assert outcome(deal) == result


@pytest.mark.parametrize(
    ("game", "calls", "seat", "legal"),
    [
        pytest.param(PLAIN, "pass prop", 2, f"pass cop solo {ABOVE}", id="SW-V5"),
        pytest.param(PLAIN, "pass prop cop", 3, f"pass solo {ABOVE}", id="SW-V6"),
        pytest.param(PLAIN, "pass pass prop pass", 0, "pass cop", id="SW-V10"),
        pytest.param(FAGELSON, "pass prop cop pass", 0, f"pass solo {ABOVE}", id="SW-V16"),
        pytest.param(PLAIN, "", 0, f"pass prop solo {ABOVE}", id="first call"),
        pytest.param(SoloWhist(prop=False), "", 0, f"pass solo {ABOVE}", id="straight"),
        pytest.param(PLAIN, "prop cop", 2, f"pass solo {ABOVE}", id="no second cop"),
        pytest.param(
            PLAIN, "prop solo", 2, f"pass {ABOVE}", id="an overcalled proposal is dead"
        ),
        pytest.param(
            PLAIN, "prop cop solo pass", 0, f"pass {ABOVE}", id="who was overcalled stays in"
        ),
        pytest.param(
            SoloWhist(slams=True), "royal", 1, "pass ouverte petit grand", id="slams above royal"
        ),
        pytest.param(
            SoloWhist(slams=True), "royal petit", 2, "pass ouverte grand", id="above petit"
        ),
        pytest.param(SoloWhist(slams=True), "ouverte", 1, "pass grand", id="above ouverte"),
        pytest.param(
            SoloWhist(uncopped="raise"), "prop pass pass pass", 0, f"pass solo {ABOVE}",
            id="raise",
        ),
        pytest.param(
            SoloWhist(uncopped="raise_solo"), "pass prop pass pass pass", 1, "pass solo",
            id="raise to a solo only",
        ),
        pytest.param(
            FAGELSON, "pass pass prop pass", 0, f"pass cop solo {ABOVE}", id="single: second call"
        ),
        pytest.param(FAGELSON, "prop solo pass pass", 0, f"pass {ABOVE}", id="single: overcalled"),
        pytest.param(PLAIN, "declared", 1, "pass", id="nothing is higher"),
        pytest.param(
            SoloWhist(variant="irish"), "bid:13D", 1, "pass bid:13H bid:13S bid:13NT", id="irish"
        ),
        pytest.param(
            SoloWhist(variant="irish"), "bid:12S", 1,
            "pass bid:12NT bid:13C bid:13D bid:13H bid:13S bid:13NT", id="no misere above 12S",
        ),
    ],
)  # fmt: skip
def test_legal_calls(game: kibitz.Game, calls: str, seat: int, legal: str) -> None:
    deal = after(calls, game)
    assert deal.turn == seat
    assert deal.codes() == legal.split()


def test_sw_v14_the_order_of_irish_calls() -> None:
    order = ["bid:6S", "bid:7H", "bid:7NT", "bid:11NT", "misere", "bid:12C", "bid:13NT"]
    places = [[call.code for call in IRISH_LADDER].index(code) for code in order]
    assert places == sorted(places)
    assert len(IRISH_LADDER) == len(BIDS) + 1 == 66
    irish = SoloWhist(variant="irish")
    for lower, higher in pairwise(order):
        assert higher in after(lower, irish).codes()
        assert lower not in after(higher, irish).codes()


def test_a_passed_player_is_not_asked_again() -> None:
    deal = after("pass solo misere")
    callers = []
    for call in ("pass", "abundance", "royal"):
        callers.append(deal.turn)
        deal.play(call)
    assert callers == [3, 1, 2]
    assert deal.turn == 1


@pytest.mark.parametrize(
    ("options", "length"),
    [
        ({}, 11),
        ({"prop": False}, 9),
        ({"slams": True}, 12),
        ({"slams": True, "prop": False}, 10),
        ({"rounds": "single"}, 5),
        ({"rounds": "single", "uncopped": "raise"}, 6),
        ({"rounds": "single", "uncopped": "raise_solo"}, 6),
        ({"rounds": "single", "uncopped": "raise", "prop": False}, 5),
        ({"variant": "irish"}, 69),
        ({"variant": "irish3"}, 68),
    ],
    ids=str,
)
def test_the_longest_auction(options: dict[str, object], length: int) -> None:
    game = SoloWhist(**options)  # type: ignore[arg-type]
    known: dict[object, int] = {}

    def longest(deal: kibitz.Deal) -> int:
        if not isinstance(deal.phase, Auction):
            return 0
        calls = deal.phase.calls
        standing = next((one for one in reversed(calls) if one[1].code != "pass"), None)
        passes = tuple(sorted(seat for seat, call in calls if call.code == "pass"))
        copped = any(call.code == "cop" for _, call in calls)
        short = len(calls) if game.rounds == "single" else 0
        key = (standing, deal.turn, passes, copped, short)
        if key not in known:
            legal = deal.legal()
            known[key] = 0
            # A bid that leaves room for more is never worse; a misere stands in its number's place.
            for call in legal if game.variant == "standard" else (legal[0], *legal[1:3]):
                twin = deal.copy()
                twin.apply(call)
                known[key] = max(known[key], 1 + longest(twin))
        return known[key]

    assert longest(after("", game, dealer=game.seats - 1)) == length


def test_a_thrown_in_deal_counts_and_may_keep_its_dealer() -> None:
    for option, dealers in (("next_dealer", [0, 1, 2, 3]), ("same_dealer", [0, 0, 1, 1])):
        game = SoloWhist(all_pass=option, end="deals:4")
        match = game.new_match()
        met = []
        for number in range(4):
            deal = match.new_deal(kibitz.shuffle(game, number))
            met.append(deal.dealer)
            if number % 2:  # played to its end
                deal.play("solo")
            while not deal.over:
                deal.play(deal.codes()[0])
            match.finish(deal)
        assert met == dealers
        assert match.over
        assert match.record().verify().totals == match.totals
        assert game.duplicable == (option == "next_dealer")
