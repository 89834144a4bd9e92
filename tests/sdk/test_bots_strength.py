"""``search`` beats ``careful`` beats ``random``: the whole 95 % interval lies above nothing."""

import kibitz
import pytest
from kibitz.bots.search import Search
from kibitz.local import AnyBot, Result, play_sets

GAMES = {
    "german_whist": kibitz.game("german_whist", end="hands:2", hand_score="margin"),
    "whist": kibitz.game("whist", end="deals:4"),
    "whiskey": kibitz.game("whiskey", end="deals:3"),
    "solo_whist": kibitz.game("solo_whist", end="deals:4"),
    "three_handed_whist": kibitz.game("three_handed_whist"),
    "whos_who": kibitz.game("whos_who", end="deals:3"),
    "ottocento": kibitz.game("ottocento", end="deals:3"),
}


def duel(name: str, one: AnyBot, other: AnyBot, sets: int) -> Result:
    game = GAMES[name]
    return play_sets(game, [one, *[other] * (game.players - 1)], sets=sets, seed=2026)


def assert_beats(result: Result) -> None:
    first = result.standings[0]
    assert not result.faults
    assert first.player == result.players[0]
    assert first.error is not None
    assert first.margin > first.error, result.standings


@pytest.mark.parametrize("name", GAMES)
def test_careful_beats_random(name: str) -> None:
    assert_beats(duel(name, "careful", "random", sets=8))


@pytest.mark.parametrize(
    ("name", "playouts", "sets"),
    [
        ("german_whist", 20, 9),
        ("whist", 20, 12),
        ("whiskey", 20, 3),
        ("solo_whist", 10, 4),
        ("three_handed_whist", 8, 3),
        ("whos_who", 30, 6),
        ("ottocento", 10, 4),
    ],
)
def test_search_beats_careful(name: str, playouts: int, sets: int) -> None:
    assert_beats(duel(name, Search(playouts=playouts), "careful", sets))
