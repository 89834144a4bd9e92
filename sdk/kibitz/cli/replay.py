"""``kibitz replay``: a record as text, deal by deal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kibitz.deal import Deal
    from kibitz.record import Record

STOCK = 15


def replay(
    file: Annotated[Path, typer.Argument(help="A record, or JSON lines of several.")],
    match: Annotated[int, typer.Option(help="Which record of several, from 0.", min=0)] = 0,
    deal: Annotated[
        int | None, typer.Option(help="Only this deal, from 0; all if not given.", min=0)
    ] = None,
) -> None:
    """Show the deals of a match: hands, calls, tricks, scores."""
    from kibitz.cli.failures import CommandError
    from kibitz.cli.records import read
    from kibitz.errors import KibitzError
    from kibitz.record import Record

    try:
        texts = [text for _, text in read(file)]
    except KibitzError as error:
        raise CommandError(f"{file} {error}", reason=error.reason) from error
    if match >= len(texts):
        raise CommandError(
            f"{file} has {len(texts)} records; --match is 0 to {len(texts) - 1}", reason="NO_MATCH"
        )
    record = Record.from_json(texts[match])
    if deal is not None and deal >= len(record.deals):
        raise CommandError(
            f"the match has {len(record.deals)} deals; --deal is 0 to {len(record.deals) - 1}",
            reason="NO_DEAL",
        )
    for number in range(len(record.deals)) if deal is None else [deal]:
        for line in describe(record, number):
            print(line)
        print()


def describe(record: Record, number: int) -> Iterator[str]:
    """Yield the lines that tell of one deal."""
    from kibitz.cli.console import clean

    names = [clean(name) for name in record.seats]
    begun, ended = record.replay(number, 0), record.replay(number)
    written = record.deals[number]
    yield f"Deal {written['number']}, dealer {names[written['dealer']]}"
    for place in range(record.game.places):
        name = names[place] if place < len(names) else "dummy"
        yield f"  {name:16.16} {_hand(begun, place)}"
    places = [*names, *["dummy"] * (record.game.places - len(names))]
    yield from _events(ended, places)
    yield from _comments(written, names)
    if written.get("forfeit"):
        forfeit = written["forfeit"]
        yield f"  forfeited by {names[forfeit['seat']]}: {clean(str(forfeit['reason']))}"
    scores = "  ".join(
        f"{name} {score}" for name, score in zip(names, written["scores"], strict=True)
    )
    yield f"  scores: {scores}"


def _comments(written: dict[str, Any], names: list[str]) -> Iterator[str]:
    from kibitz.cli.console import clean

    for number, text in written.get("comments", ()):
        seat, code = written["actions"][number]
        yield f"  {names[seat]:.16} on {code}: {clean(text)}"


def _hand(deal: Deal, place: int) -> str:
    actions = deal.game.actions
    suits: dict[str, list[str]] = {}
    for card in reversed(deal.hand(place)):
        suits.setdefault(actions[card].suit or "-", []).append(actions[card].code)
    return "  ".join(" ".join(cards) for _, cards in sorted(suits.items()))


def _events(deal: Deal, places: list[str]) -> Iterator[str]:
    """Yield a line for the calls, and one for each trick with its winner."""
    from kibitz.events import What

    actions = deal.game.actions
    calls: list[str] = []
    trick: list[str] = []
    for event in deal.events:
        name = places[event.place] if event.place < len(places) else ""
        if event.what is What.TRUMP:
            suit = deal.game.cards.suits[event.detail] if event.detail >= 0 else "none"
            yield from _flush(calls)
            yield f"  trumps: {suit}"
        elif event.what is What.PLAYED:
            yield from _flush(calls)
            trick.append(f"{name:.16} {actions[event.detail].code}")
        elif event.what is What.WON:
            yield f"  {'  '.join(trick)}  -> {name:.16}"
            trick = []
        elif event.is_action:
            calls.append(f"{name:.16} {actions[event.detail].code}")
        elif event.what is What.TURNED and event.place == STOCK:
            trick.append(f"(turned {actions[event.detail].code})")
    yield from _flush(calls)
    if trick:
        yield f"  {'  '.join(trick)}"


def _flush(calls: list[str]) -> Iterator[str]:
    if calls:
        yield f"  {'  '.join(calls)}"
        calls.clear()
