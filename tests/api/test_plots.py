"""Charts stay within their frame, and long curves stay short."""

import pytest
from kibitz_api.plots import HEIGHT, MOST_POINTS, WIDTH, Place, curve_plot, history_plot
from kibitz_api.tournaments.models import TestAnswer


@pytest.mark.parametrize("length", [1, 2, 499, 20_000])
def test_a_curve_ends_where_the_test_stands(length: int) -> None:
    curve = [0.1 * (n % 7) - 0.2 for n in range(length)]
    answer = TestAnswer(
        state="running",
        sets=15 + length,
        llr=curve[-1],
        lower=-2.94,
        upper=2.94,
        expected_left=10.0,
        chance=0.5,
        curve_from=16,
        curve=curve,
    )
    assert answer.chart is not None
    (band,) = answer.chart.bands
    points = [tuple(map(float, point.split(","))) for point in band.line.split()]
    assert len(points) <= MOST_POINTS + 2
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert band.marks[0][4] == f"{curve[-1]:.2f} after {15 + length}"
    no, yes = answer.chart.bounds
    assert no[0] > yes[0], "no is below"


def test_before_the_first_look_there_is_no_curve() -> None:
    assert curve_plot([(16, 0.0)], {-2.94: "no", 2.94: "yes"}).bands[0].line


def test_a_single_point_has_its_interval() -> None:
    chart = history_plot([("v1", [Place(0, 1500.0, 1400.0, 1600.0, "x")])], ["2030-01-01"])
    _, y, low, high, _ = chart.bands[0].marks[0]
    assert high < y < low
