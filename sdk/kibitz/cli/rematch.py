"""``kibitz rematch``: a match played again with your version, beside how it went."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.arguments import Json, To

if TYPE_CHECKING:
    from kibitz.cli.server import Server

ASK_S = 0.5


def rematch(
    match: Annotated[
        str, typer.Argument(help="The id of a match whose set is over, or ID/DEAL, as 3 in ID/3.")
    ],
    seat: Annotated[int, typer.Option(help="The seat that your bot takes over, from 0.", min=0)],
    bot: Annotated[
        str, typer.Option(help="Your bot: heart (the newest version), heart@3 or ana/heart/3.")
    ],
    wait: Annotated[bool, typer.Option(help="Wait for the result.")] = True,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Play a match again: the same cards and opponents, your version in one seat; never rated.

    All deals of the match are played, since a deal may depend on those before it; with ID/DEAL
    that deal alone is shown. Deals are numbered from 1.
    """
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    key, deal = parse_match(match)
    with Server(to) as server:
        found = server.create(f"matches/{key}/rematch", {"seat": seat, "bot": bot})
        if deal > len(found["deals"]):
            from kibitz.cli.failures import say

            say(f"match {key} has {len(found['deals'])} deals; all are shown")
            deal = 0
        if wait:
            found = _result(server, found)
    if as_json:
        dump(found)
    else:
        show_rematch(found, deal, f"{server.url}/tournaments/{found['tournament']}")


def parse_match(text: str) -> tuple[str, int]:
    """Return the id of a match and the number of a deal, 0 for all.

    Raises:
        CommandError: what follows the stroke is no number of a deal.
    """
    from kibitz.cli.failures import CommandError

    key, stroke, number = text.partition("/")
    if not stroke:
        return key, 0
    if not (number.isascii() and number.isdigit() and int(number[:6]) > 0):
        raise CommandError(
            f"{text!r}: after the match comes the number of a deal, from 1, as in {key}/3",
            reason="BAD_OPTION",
        )
    return key, int(number[:6])


def _result(server: Server, found: Any) -> Any:
    """Ask until the rematch is over; return it."""
    from kibitz.cli.failures import CommandError
    from kibitz.cli.following import OVER, patiently

    path = f"tournaments/{found['tournament']}"
    while True:
        state = patiently(lambda: server.get(path))
        if state["state"] in OVER:
            break
        time.sleep(ASK_S)
    if not state["sets_done"]:
        why = state.get("reason") or "it could not be played"
        raise CommandError(f"the rematch has no result: {why}", reason="NO_RESULT")
    return server.get(f"{path}/rematch")


def show_rematch(found: Any, deal: int, page: str) -> None:
    """Print then and now side by side: all deals, or with `deal` that one, from 1."""
    from kibitz.cli.console import clean, show

    seats = found["then"]["seats"]
    seat = found["seat"]
    names = [f"{each['bot']}/{each['version']}" for each in seats]
    print(clean(f"{found['bot']} in seat {seat} for {names[seat]}; it counts nowhere"))
    rows = [row for row in found["deals"] if deal in {0, row["number"] + 1}]
    heads = [head for number in range(len(seats)) for head in (f">seat {number} then", ">now")]
    show(
        (">deal", *heads),
        (
            (str(row["number"] + 1), *_cells(row["then"], row["now"] or [None] * len(seats)))
            for row in rows
        ),
    )
    if found["difference"] is not None:
        print(f"seat {seat}: {found['difference']:+g} points over all deals")
    print(page)


def _cells(then: list[float], now: list[float | None]) -> list[str]:
    pairs = zip(then, now, strict=True)
    return ["-" if value is None else f"{value:g}" for pair in pairs for value in pair]
