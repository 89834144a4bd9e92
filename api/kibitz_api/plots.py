"""Drawings over time or number that pages make as plain SVG: rating histories, test curves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kibitz_api.charts import Scale, polyline, scale

WIDTH, HEIGHT = 720.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 44.0, 12.0, 12.0, 26.0


@dataclass(frozen=True)
class Band:
    """A line with the band of its intervals, as SVG points.

    `marks` are its places: x, y, the heights of the interval's ends, and what is there.
    """

    name: str
    line: str
    band: str
    marks: tuple[tuple[float, float, float, float, str], ...]


@dataclass(frozen=True)
class Plot:
    """A frame: horizontal lines with their labels, labels below, bounds, and bands."""

    levels: tuple[tuple[float, str], ...]
    below: tuple[tuple[float, str], ...]
    bounds: tuple[tuple[float, str], ...]
    bands: tuple[Band, ...]

    @property
    def box(self) -> str:
        """The view box."""
        return f"0 0 {WIDTH:g} {HEIGHT:g}"

    @property
    def left(self) -> float:
        """Where the plot begins."""
        return LEFT

    @property
    def right(self) -> float:
        """Where the plot ends."""
        return WIDTH - RIGHT


@dataclass(frozen=True)
class Place:
    """A point of a history: value, its bounds, what it is, and its place along the time."""

    x: int
    value: float
    low: float
    high: float
    name: str


def history_plot(lines: Sequence[tuple[str, Sequence[Place]]], below: Sequence[str]) -> Plot:
    """Values with bands over the numbers 0, 1, ... whose labels are `below` (first, last shown)."""
    places = [place for _, line in lines for place in line]
    levels = scale([edge for place in places for edge in (place.low, place.high)])
    last = max(1, len(below) - 1)

    def at(x: int, value: float) -> tuple[float, float]:
        return LEFT + (WIDTH - LEFT - RIGHT) * x / last, _height(levels, value)

    ends = [0, len(below) - 1] if len(below) > 1 else [0] * len(below)
    return Plot(
        levels=tuple((_height(levels, tick), f"{tick:g}") for tick in levels.ticks),
        below=tuple((at(x, 0.0)[0], below[x]) for x in ends),
        bounds=(),
        bands=tuple(
            Band(
                name=name,
                line=polyline([at(place.x, place.value) for place in line]),
                band=polyline(
                    [at(place.x, place.high) for place in line]
                    + [at(place.x, place.low) for place in reversed(line)]
                ),
                marks=tuple(
                    (
                        *at(place.x, place.value),
                        _height(levels, place.low),
                        _height(levels, place.high),
                        place.name,
                    )
                    for place in line
                ),
            )
            for name, line in lines
        ),
    )


MOST_POINTS = 500


def curve_plot(places: Sequence[tuple[int, float]], bounds: Mapping[float, str]) -> Plot:
    """A curve over numbers, with named bounds; of a long one evenly chosen places are drawn."""
    step = -(-len(places) // MOST_POINTS)
    drawn = [*places[:-1:step], places[-1]]
    low, high = min(*bounds, *(y for _, y in drawn)), max(*bounds, *(y for _, y in drawn))
    levels = Scale(low, high, ())
    first, last = drawn[0][0], max(drawn[-1][0], drawn[0][0] + 1)

    def at(x: int, value: float) -> tuple[float, float]:
        return LEFT + (WIDTH - LEFT - RIGHT) * (x - first) / (last - first), _height(levels, value)

    line = polyline([at(*place) for place in drawn])
    number, value = drawn[-1]
    x, y = at(number, value)
    end = (x, y, y, y, f"{value:.2f} after {number}")
    return Plot(
        levels=(),
        below=((LEFT, f"set {first}"), (WIDTH - RIGHT, f"set {last}")),
        bounds=tuple((_height(levels, value), name) for value, name in bounds.items()),
        bands=(Band(name="log-likelihood ratio", line=line, band="", marks=(end,)),),
    )


def _height(levels: Scale, value: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * levels.at(value) / 100.0
