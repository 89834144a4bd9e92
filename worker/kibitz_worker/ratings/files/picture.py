"""Ratings with their intervals as an SVG picture that needs nothing else."""

import math
from html import escape

from kibitz_worker.ratings.ratings import Ratings, Row

LINE, TOP, AXIS, PLOT, EDGE = 24, 28, 40, 520, 24
MOST_LETTERS = 36
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1d1d1f }
.grid { stroke: #d9d9de } .bar { stroke: #1f5fbf; stroke-width: 2 } .dot { fill: #1f5fbf }
.new .dot { fill: #fff; stroke: #1f5fbf; stroke-width: 2 } .new .bar { stroke-dasharray: 4 3 }
.paper { fill: #fff } .end { text-anchor: end } .middle { text-anchor: middle }
@media (prefers-color-scheme: dark) {
  text { fill: #eee } .paper, .new .dot { fill: #1b1b1e } .grid { stroke: #3a3a40 }
  .bar, .new .dot { stroke: #7fb0ff } .dot { fill: #7fb0ff }
}"""


def printable(text: str) -> str:
    """The text without letters that would break an SVG."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _name(row: Row) -> str:
    text = printable(row.player)
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


def ticks(low: float, high: float) -> list[int]:
    """About six round numbers between the bounds."""
    rough = max(high - low, 1.0) / 6.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = max(1, round(next(m * power for m in (1, 2, 5, 10) if m * power >= rough)))
    return [*range(math.ceil(low / step) * step, math.floor(high) + 1, step)]


def draw(ratings: Ratings) -> str:
    """An SVG of all players, best first: dot and 95 % interval; hollow and dashed if provisional.

    Players of other pools than the main one, whose elos cannot be compared with it, are left out.
    """
    rows = [row for row in ratings.rows if row.pool == 0]
    low = min((row.elo_low for row in rows), default=ratings.anchor_elo - 100.0)
    high = max((row.elo_high for row in rows), default=ratings.anchor_elo + 100.0)
    if high - low < 20.0:
        low, high = low - 10.0, high + 10.0
    left = 16 + 8 * max((len(_name(row)) for row in rows), default=0) + 12
    width, height = left + PLOT + EDGE, TOP + LINE * len(rows) + AXIS

    def across(elo: float) -> str:
        return f"{left + PLOT * (elo - low) / (high - low):.1f}"

    bottom = TOP + LINE * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img"><title>Elo with 95 % intervals</title>',
        f'<style>{STYLE}</style><rect class="paper" width="{width}" height="{height}"/>',
    ]
    for tick in ticks(low, high):
        x = across(tick)
        parts.append(
            f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{bottom}"/>'
            f'<text class="middle" x="{x}" y="{bottom + 20}">{tick}</text>'
        )
    for place, row in enumerate(rows):
        y = TOP + LINE * place + LINE // 2
        said = f"{printable(row.player)}: {row.elo:.0f} ({row.elo_low:.0f} to {row.elo_high:.0f})"
        bar = f'x1="{across(row.elo_low)}" x2="{across(row.elo_high)}" y1="{y}" y2="{y}"'
        parts.append(
            f'<g class="{"new" if row.provisional else "old"}"><title>{escape(said)}</title>'
            f'<text class="end" x="{left - 12}" y="{y + 4}">{escape(_name(row))}</text>'
            f'<line class="bar" {bar}/>'
            f'<circle class="dot" cx="{across(row.elo)}" cy="{y}" r="5"/></g>'
        )
    return "\n".join([*parts, "</svg>", ""])
