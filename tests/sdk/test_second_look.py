"""The second-look test finds bots that remember decks, and leaves the others alone."""

from math import sqrt
from random import Random

import pytest
from kibitz.second_look import ALPHA, LEAST_ROWS, Meetings, second_looks


def rows(rng: Random, count: int, meetings: int, memory: float = 0.0) -> list[Meetings]:
    """Margins of a bot: skill, the luck of a deck, that of a seat (skewed), and memory."""
    found: list[Meetings] = []
    for _ in range(count):
        deck = rng.gauss(0, 1)
        row = [0.3 + deck + rng.expovariate(0.5) - 2 + rng.gauss(0, 1) for _ in range(meetings)]
        found.append([x + memory * (n > 0) for n, x in enumerate(row)])
    return found


def test_a_mean_is_worked_out_by_hand() -> None:
    (look,) = second_looks({"a": [[1.0, 3.0], [2.0, 2.5], [0.0]]}).values()
    assert look.rows == 2
    assert look.gain == pytest.approx(1.25)
    assert look.error == pytest.approx(sqrt(4 + 0.25) / 2)
    (three,) = second_looks({"a": [[0.0, 3.0, 6.0]]}).values()
    assert three.gain == pytest.approx(4.5)
    assert three.error == pytest.approx(sqrt((4.5**2 + 0 + 4.5**2) / 3))


@pytest.mark.parametrize("meetings", [2, 3, 4])
def test_honest_bots_are_flagged_as_seldom_as_promised(meetings: int) -> None:
    rng = Random(meetings)
    values = [second_looks({"a": rows(rng, 40, meetings)})["a"].p for _ in range(600)]
    for level in (0.05, 0.2, 0.5):
        share = sum(p <= level for p in values) / len(values)
        assert abs(share - level) < 4 * sqrt(level * (1 - level) / len(values))
    assert sum(p <= ALPHA for p in values) <= 3


def test_a_field_is_flagged_no_more_often_than_a_single_bot() -> None:
    rng = Random(11)
    false = 0
    for _ in range(200):
        looks = second_looks({str(bot): rows(rng, 30, 2) for bot in range(8)})
        false += any(look.flagged for look in looks.values())
    assert false <= 2


def test_a_bot_that_remembers_is_found_among_honest_ones() -> None:
    rng = Random(5)
    found = wrong = 0
    for _ in range(50):
        field = {str(bot): rows(rng, 100, 2) for bot in range(5)}
        looks = second_looks({**field, "cheat": rows(rng, 100, 2, memory=2.0)})
        wrong += any(look.flagged for bot, look in looks.items() if bot != "cheat")
        found += looks["cheat"].flagged
    assert found >= 45
    assert wrong <= 2
    assert looks["cheat"].gain == pytest.approx(2, abs=1.2)


def test_few_rows_and_equal_results_flag_nobody() -> None:
    rng = Random(3)
    looks = second_looks(
        {
            "few": rows(rng, LEAST_ROWS - 1, 2, memory=50),
            "flat": [[1.0, 1.0]] * 100,
            "none": [],
            "worse": rows(rng, 100, 2, memory=-50),
        }
    )
    assert not any(look.flagged for look in looks.values())
    assert looks["flat"].p == looks["none"].p == 1
    assert looks["worse"].p > 0.999
