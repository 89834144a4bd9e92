"""Pages: the Jinja environment, its filters and the one function that renders."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import kibitz
from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from kibitz.amounts import amount, plural

from kibitz_api.crosstable_cells import cells
from kibitz_api.figures import DASH, MINUS, plain, signed
from kibitz_api.games.queries import title
from kibitz_api.words import action_words

TEXT_MAX = 120
LONG_AGO_DAYS = 14


def shown(text: object, limit: int = TEXT_MAX) -> str:
    """Text of unknown origin made fit for a page: one line, printable, cut to `limit`."""
    line = "".join(c if c.isprintable() else " " for c in str(text))
    line = " ".join(line.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def shown_lines(text: str) -> str:
    """Text of unknown origin in its lines, without what could steer a terminal or a screen."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def chance(p: float | None) -> str:
    """A chance, small ones as a bound."""
    if p is None:
        return DASH
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def score(number: float | None) -> str:
    """A score as players write it: whole numbers without decimals, halves with one."""
    if number is None:
        return DASH
    return f"{number:g}".replace("-", MINUS)


def score_signed(number: float | None) -> str:
    """A zero-sum result: with its sign, whole numbers without decimals."""
    if number is None:
        return DASH
    return f"{number:+g}".replace("-", MINUS) if number else "0"


def card_text(code: str) -> str:
    """A card or action as people write it: 10♥ for TH."""
    return action_words(code)[0]


def card_suit(code: str) -> str | None:
    """The suit of a French card or of a trump suit as a style name: c, d, h, s, or None."""
    suit = code if code in {"C", "D", "H", "S"} else action_words(code)[1]
    return suit.lower() if suit else None


def option_text(value: object) -> str:
    """The value of an option as it is written in code and commands."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value)


def options_text(options: Mapping[str, object], game: str | None = None) -> str:
    """Options on one line; with `game` only those that are not the game's default."""
    usual = kibitz.game(game).options() if game else {}
    told = [f"{k}={option_text(v)}" for k, v in options.items() if usual.get(k, object()) != v]
    return shown(" ".join(told), 300) or "usual rules"


def utc(moment: datetime | None) -> str:
    """A moment as machine-readable UTC text for `<time datetime>`."""
    if moment is None:
        return ""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ago(moment: datetime | None) -> str:
    """A moment as people say it: '5 min ago', a date when long past."""
    if moment is None:
        return DASH
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    seconds = (datetime.now(UTC) - aware).total_seconds()
    if seconds < 60:
        return "just now"
    for size, unit in ((3600, 60), (86400, 3600), (86400 * LONG_AGO_DAYS, 86400)):
        if seconds < size:
            name = {60: "min", 3600: "h", 86400: "d"}[unit]
            return f"{seconds // unit:.0f} {name} ago"
    return aware.strftime("%Y-%m-%d")


def make_environment() -> Environment:
    """The environment of all pages: everything escaped, a missing value is a fault."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (
        shown,
        shown_lines,
        signed,
        cells,
        chance,
        plain,
        score,
        score_signed,
        card_text,
        card_suit,
        option_text,
        options_text,
        utc,
        ago,
        amount,
        plural,
        title,
    )
    environment.filters.update({function.__name__: function for function in filters})
    return environment


_environment = make_environment()


def render(request: Request, template: str, **context: Any) -> HTMLResponse:
    """Render a page with what every page shows: who looks, the assets, the nonce, the clock."""
    page = _environment.get_template(template).render(
        assets=request.app.state.services.assets,
        viewer=getattr(request.state, "viewer", None),
        nonce=getattr(request.state, "nonce", ""),
        path=request.url.path,
        now=datetime.now(UTC),
        **context,
    )
    return HTMLResponse(page, headers={"Cache-Control": "no-cache"})
