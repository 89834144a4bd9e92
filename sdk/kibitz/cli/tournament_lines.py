"""What a tournament comes to, what it waits for and its rounds, as lines of text."""

from __future__ import annotations

from typing import Any

from kibitz.amounts import amount, duration, plural
from kibitz.cli.console import clean, dump


def show_preview(told: Any, as_json: bool) -> None:
    """Print what a tournament would come to."""
    if as_json:
        dump(told)
        return
    most = told["sets_most"]
    more = ", without end" if most is None else f" to {most}" if most > told["sets"] else ""
    rounds, sets = amount(told["rounds"], "round"), plural(most or told["sets"], "set")
    print(f"{rounds}, {told['sets']}{more} {sets}, {told['sets_each']:.1f} for each bot")
    print(f"{amount(told['matches'], 'match')}, {amount(told['deals'], 'deal')}")
    if told["seconds"] is not None:
        print(f"about {duration(told['seconds'])} on the workers that are up")
    if told["elo_error"] is not None:
        print(f"Elo ±{told['elo_error']:.0f} (95 %) for bots of about the same strength")


def show_waits(found: Any) -> None:
    """Print what the sets of a tournament wait for."""
    if found.get("priority"):
        print(f"priority {found['priority']:+d}")
    for wait in found.get("waits", ()):
        sets = f"{amount(wait['sets'], 'set')}: " if wait["sets"] else ""
        until = f" (until {wait['until'][:19].replace('T', ' ')} UTC)" if wait["until"] else ""
        print(clean(f"{sets}{wait['text']}{until}"))


def show_rounds(found: Any) -> None:
    """Print the test and the rounds of a tournament, where it has any."""
    if test := found.get("test"):
        print(f"test {test['state']} after {amount(test['sets'], 'set')}, LLR {test['llr']:.2f}")
    for round_ in found.get("rounds", ()):
        print(f"round {round_['number']}")
        for table in round_["tables"]:
            on = f"  -> {', '.join(table['winners'])}" if table["winners"] else ""
            print(clean(f"  {' - '.join(table['players'])}  {table['done']}/{table['sets']}{on}"))
