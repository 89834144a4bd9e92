"""Writes the ends of the pages in this folder: options, variants by name, and forfeits.

``python docs/rules/generate.py`` writes what the games say now; the text above stays.
"""

from itertools import combinations
from pathlib import Path
from typing import Any

import kibitz
from kibitz.games import game_class
from kibitz.options import allowed
from kibitz_api.games.models import GameOption
from kibitz_api.games.queries import summary
from kibitz_api.templating import option_text, score_signed

FOLDER = Path(__file__).parent
HEADING = "## Options"


def page(name: str) -> str:
    """Return what the page of a game should be: its text, and the tables made anew."""
    text, _, _ = (FOLDER / f"{name}.md").read_text(encoding="utf-8").partition(f"\n{HEADING}\n")
    return f"{text.rstrip()}\n\n{HEADING}\n\n{options(name)}{variants(name)}{forfeits(name)}"


def options(name: str) -> str:
    """Return the table of a game's options."""
    rows = ["| option | default | can be | what it does |", "|---|---|---|---|"]
    rows += [_row(option) for option in summary(name).options]
    return "\n".join(rows) + "\n"


def _row(option: GameOption) -> str:
    default = option_text(option.default)
    return f"| `{option.name}` | `{default}` | {option.values} | {option.effect} |"


def variants(name: str) -> str:
    """Return the table of a game's variants, or nothing if none has a name."""
    bundles = summary(name).presets
    if not bundles:
        return ""
    rows = [f"| `{preset}` | {_set(bundle)} |" for preset, bundle in bundles.items()]
    return "\n## Variants by name\n\n| name | options |\n|---|---|\n" + "\n".join(rows) + "\n"


def _set(values: dict[str, Any]) -> str:
    return " ".join(f"`{key}={option_text(value)}`" for key, value in values.items())


def forfeits(name: str) -> str:
    """Return the table of what a forfeited deal scores, where options make a difference."""
    rows = ["| options | offender | each other seat |", "|---|---|---|"]
    rows += [
        f"| {_set(changed) or 'by default'} | {worst} |" for changed, worst in _differences(name)
    ]
    return "\n## A forfeited deal\n\n" + "\n".join(rows) + "\n"


def _differences(name: str) -> list[tuple[dict[str, Any], str]]:
    """Return the defaults and the fewest options that change something, each with the scores."""
    plain = kibitz.game(name).options()
    choices = [
        (key, value)
        for key, values in allowed(game_class(name)).items()
        for value in values.values
        if not values.ends and value != plain[key]
    ]
    found: list[tuple[dict[str, Any], str]] = []
    for chosen in (some for n in range(4) for some in combinations(choices, n)):
        changed: dict[str, Any] = dict(chosen)
        if len(changed) < len(chosen) or _refused(name, changed):
            continue
        within = [worst for less, worst in found if less.items() <= changed.items()]
        worst = _worst(kibitz.game(name, **changed))
        if worst not in within:
            found.append((changed, worst))
    return found


def _refused(name: str, options: dict[str, Any]) -> bool:
    try:
        kibitz.game(name, **options)
    except kibitz.OptionError:
        return True
    return False


def _worst(game: kibitz.Game) -> str:
    scores = game.worst(0)
    partner = " and partner" if game.sides < game.seats else ""
    return f"{score_signed(scores[0])}{partner} | {score_signed(scores[1])}"


if __name__ == "__main__":
    for game in kibitz.games():
        (FOLDER / f"{game}.md").write_text(page(game), encoding="utf-8")
