"""Where the marks of a chart go: scales and steps for drawings that templates make as SVG."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

STEPS = (10, 20, 25, 50, 100, 200, 250, 500, 1000)
TICKS_MAX = 7


@dataclass(frozen=True)
class Scale:
    """A linear scale from values to per cent of the width, with its tick values."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Per cent from the left; values outside are held at the edges."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)

    def between(self, low: float, high: float) -> float:
        """Width in per cent; at least a hair, so that it can be seen."""
        return max(0.5, round(self.at(high) - self.at(low), 2))


def scale(values: Iterable[float]) -> Scale:
    """A scale on which all values fit, with round ticks."""
    known = [value for value in values if math.isfinite(value)] or [1400.0, 1600.0]
    low, high = min(known), max(known)
    if high - low < 20:
        low, high = low - 10, high + 10
    fitting = (s for s in STEPS if (high - low) / s <= TICKS_MAX)
    step = next(fitting, 10 ** math.ceil(math.log10((high - low) / TICKS_MAX)))
    first, last = math.floor(low / step), math.ceil(high / step)
    return Scale(first * step, last * step, tuple(k * step for k in range(first, last + 1)))


def shade(share: float, significant: bool) -> str:
    """Classes for a share of the points: strong colour only where it means something."""
    away = abs(share - 0.5)
    direction = "up" if share >= 0.5 else "down"
    if not significant:
        return f"{direction} d1" if away > 0.02 else "even"
    depth = 2 + sum(away > edge for edge in (0.1, 0.2, 0.3))
    return f"{direction} d{depth} sig"


def polyline(points: Sequence[tuple[float, float]]) -> str:
    """The `points` attribute of an SVG polyline."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
