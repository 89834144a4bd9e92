"""When play of Solo Whist stops: as soon as the contract is decided, if that ends it."""

import pytest
from kibitz.games.solo_whist.rules import SoloWhist

from tests.sdk.rules.situations import stacked
from tests.sdk.rules.solo import IRISH, PLAIN, SLAMS, after

ACES = {0: "AC AD AH AS KC KD KH KS QC QD QH QS JC"}


def stops(calls: str, hands: dict[int, str], **options: object) -> int:
    """Return after how many tricks play stops when everybody plays the highest card he may."""
    game = SoloWhist(trump="second_pack", **options)  # type: ignore[arg-type]
    deal = game.new_deal(stacked(game, 3, hands), 3, cut="JC")
    for call in calls.split():
        deal.play(call)
    while not deal.over:
        deal.play(max(deal.legal(), key=lambda card: card.strength))
    return sum(deal.taken)


@pytest.mark.parametrize(
    ("calls", "hands", "tricks"),
    [
        pytest.param("solo pass pass pass", ACES, 5, id="SW-V13-solo made"),
        pytest.param("pass solo pass pass", ACES, 9, id="SW-V13-solo failed"),
        pytest.param(
            "misere pass pass pass",
            {0: "2C 3C 4C 5C 6C 7C AC 2D 3D 4D 5D 6D 7D", 1: "8C 9C TC JC QC KC"},
            1,
            id="misere failed at once",
        ),
        pytest.param("pass declared pass pass", {1: "2C", **ACES}, 1, id="SW-V13-declared"),
        pytest.param("declared pass pass pass", ACES, 13, id="declared made"),
        pytest.param("abundance pass pass pass trump:C", ACES, 9, id="abundance made"),
        pytest.param("pass royal pass pass", ACES, 5, id="royal failed"),
        pytest.param("prop cop pass pass", ACES, 8, id="prop made"),
        pytest.param("pass prop cop pass", ACES, 6, id="prop failed"),
    ],
)
def test_play_stops_when_the_contract_is_decided(
    calls: str, hands: dict[int, str], tricks: int
) -> None:
    assert stops(calls, hands) == tricks
    assert stops(calls, hands, play_out="always") == 13


def decided(calls: str, takers: str, game: SoloWhist = PLAIN) -> int:
    """Return after how many tricks play ends when these seats take them in turn."""
    deal = after(calls, game)
    for number, taker in enumerate(takers, 1):
        deal.taken[int(taker)] += 1
        if game.ended(deal):
            return number
    raise AssertionError("the contract is not decided")


@pytest.mark.parametrize(
    ("calls", "takers", "tricks"),
    [
        pytest.param("solo pass pass pass", "0" * 13, 5, id="SW-V13-1"),
        pytest.param("solo pass pass pass", "1" * 13, 9, id="SW-V13-2"),
        pytest.param("misere pass pass pass", "1231230", 7, id="SW-V13-3"),
        pytest.param("declared pass pass pass", "1", 1, id="SW-V13-4"),
        pytest.param("prop cop pass pass", "2031203120312", 11, id="SW-V13-5"),
        pytest.param("misere pass pass pass", "1" * 13, 13, id="misere made"),
    ],
)
def test_sw_v13(calls: str, takers: str, tricks: int) -> None:
    if calls.startswith("prop"):  # partners win tricks 2, 4, 6, ...
        takers = "20" * 6 + "2"
    assert decided(calls, takers) == tricks


def test_early_stops_of_the_variants() -> None:
    seven = SoloWhist(prop_need=7)
    assert decided("prop cop pass pass", "0" * 13, seven) == 7
    assert decided("prop cop pass pass", "2" * 13, seven) == 7
    assert decided("petit pass pass pass trump:C", "0" * 13, SLAMS) == 12
    assert decided("petit pass pass pass trump:C", "2" * 13, SLAMS) == 2
    assert decided("grand pass pass pass trump:C", "2" * 13, SLAMS) == 1
    assert decided("bid:9NT pass pass pass", "2" * 13, IRISH) == 5
    assert decided("bid:9NT pass pass pass", "0" * 13, IRISH) == 9
    assert decided("misere pass pass pass", "0", IRISH) == 1
    over = SoloWhist(overtricks=4)
    for call in ("solo", "royal"):
        assert decided(f"{call} pass pass pass", "0" * 13, over) == 13
    assert decided("misere pass pass pass", "10", over) == 2
    assert decided("declared pass pass pass", "1", over) == 1
