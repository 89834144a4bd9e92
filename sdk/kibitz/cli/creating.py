"""``kibitz tournament create`` and ``kibitz exhibition``: new tournaments on a server."""

from __future__ import annotations

import secrets
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.arguments import Game, Json, Options, Preset, To
from kibitz.cli.telling import Follow, tell

if TYPE_CHECKING:
    from kibitz.cli.server import Server
    from kibitz.cli.tournament_lines import show_preview


class Absences(StrEnum):
    """What becomes of sets whose self-hosted bot stays away."""

    WAIT = "wait"
    VOID = "void"
    FORFEIT = "forfeit"


Bots = Annotated[
    list[str],
    typer.Argument(help="Bots of the server: careful, ana/heart (the newest) or ana/heart/3."),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="round_robin, gauntlet, swiss, knockout, halving, ladder, versus or individual.",
    ),
]
FormatOptions = Annotated[
    list[str] | None,
    typer.Option("--format-option", help="key=value of the format; may be repeated."),
]
Unrated = Annotated[bool, typer.Option("--unrated", help="Do not count it.")]
Apart = Annotated[bool, typer.Option("--apart", help="Bots of one owner may not meet.")]
Preview = Annotated[
    bool, typer.Option("--preview", help="Say what it would come to; start nothing.")
]
Wait = Annotated[
    bool, typer.Option("--wait", help="Do not start yet, so that owners can add nonces.")
]
Exhibition = Annotated[
    bool, typer.Option("--exhibition", help="To be looked at alone: marked, and never rated.")
]
Priority = Annotated[
    int, typer.Option(help="Each step doubles its share of the workers.", min=-5, max=5)
]
Policy = Annotated[
    str | None,
    typer.Option(
        help="After an illegal move or a time-out: forfeit_deal (the usual), forfeit_match, "
        "substitute, or substitute:N (the match is forfeited after N penalties)."
    ),
]
Clock = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=SECONDS",
        help="bank (a match), increment (a deal more), cap (a decision), ready (to begin); or "
        "untimed=true, which is never rated. May be repeated.",
    ),
]
Absence = Annotated[
    Absences, typer.Option(help="Of sets whose bot is not connected: wait, void them, forfeit.")
]
WaitSeconds = Annotated[int, typer.Option(help="How long such a bot may stay away before.", min=0)]


def create(
    game: Game,
    bots: Bots,
    sets: Annotated[int, typer.Option(help="Duplicate sets for each pairing.", min=1)] = 10,
    name: Annotated[str | None, typer.Option(help="What to call it.")] = None,
    option: Options = None,
    preset: Preset = None,
    format_: Format = "round_robin",
    format_option: FormatOptions = None,
    unrated: Unrated = False,
    exhibition: Exhibition = False,
    apart: Apart = False,
    priority: Priority = 0,
    policy: Policy = None,
    clock: Clock = None,
    absence: Absence = Absences.WAIT,
    wait_seconds: WaitSeconds = 0,
    preview: Preview = False,
    wait: Wait = False,
    follow: Follow = False,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Start a tournament of bots that meet in duplicate sets.

    A random nonce of your bots is added before it starts, so that nobody can choose the cards.
    """
    from kibitz.cli.arguments import make_game
    from kibitz.cli.server import Server

    body: dict[str, object] = {"game": game, "entrants": bots, "sets": sets, "name": name}
    body |= {"options": make_game(game, preset, option).options(), "format": format_}
    body |= {"format_options": read_format_options(format_option), "one_owner": not apart}
    body |= {"rated": not unrated, "exhibition": exhibition, "priority": priority}
    body |= {"absence": absence, "wait_seconds": wait_seconds, "clock": read_clock(clock)}
    body |= {"policy": policy} if policy else {}
    with Server(to) as server:
        if preview:
            show_preview(server.post("tournaments/preview", body), as_json)
            return
        made = server.create("tournaments", {**body, "start": False})
        add_nonce(server, made["id"])
        if not wait:
            made = server.post(f"tournaments/{made['id']}/start", {})
        tell(server, made, follow, as_json)


def exhibition(
    game: Game,
    bots: Bots,
    sets: Annotated[int, typer.Option(help="Duplicate sets for each pairing.", min=1)] = 1,
    name: Annotated[str | None, typer.Option(help="What to call it.")] = None,
    option: Options = None,
    preset: Preset = None,
    follow: Follow = False,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Let bots of a server play to be looked at: never rated, and marked as an exhibition."""
    from kibitz.cli.arguments import make_game
    from kibitz.cli.server import Server

    body: dict[str, object] = {"game": game, "entrants": bots, "sets": sets, "name": name}
    body |= {"options": make_game(game, preset, option).options(), "exhibition": True}
    with Server(to) as server:
        tell(server, server.create("tournaments", body), follow, as_json)


def read_clock(given: list[str] | None) -> dict[str, object]:
    """Return a clock as the server takes it, in milliseconds, from ``KEY=SECONDS``.

    Raises:
        CommandError: one is not of that form.
    """
    from kibitz.cli.failures import CommandError

    found: dict[str, object] = {}
    for text in given or ():
        key, _, value = text.partition("=")
        if key == "untimed" and value in {"true", "false"}:
            found[key] = value == "true"
            continue
        try:
            found[f"{key}_ms"] = round(1000 * float(value))
        except (ValueError, OverflowError):
            raise CommandError(
                f"--clock {text!r}: must be KEY=SECONDS, as bank=120", reason="BAD_OPTION"
            ) from None
    return found


def read_format_options(given: list[str] | None) -> dict[str, object]:
    """Return the options of a format, numbers as such.

    Raises:
        CommandError: one is not of the form key=value.
    """
    from kibitz.cli.failures import CommandError

    found: dict[str, object] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not equals or not value:
            raise CommandError(f"{text!r} is not of the form key=value", reason="BAD_OPTION")
        try:
            found[key] = int(value) if value.lstrip("-").isdecimal() else float(value)
        except ValueError:
            found[key] = value
    return found


def add_nonce(
    server: Server, tournament: str, nonce: str | None = None, bot: str | None = None
) -> list[Any]:
    """Add a nonce, by default a random one, to the luck of one's bots; return these entrants."""
    body: dict[str, object] = {"nonce": nonce or secrets.token_hex(16)}
    if bot is not None:
        body["entrant"] = bot
    found: list[Any] = server.post(f"tournaments/{tournament}/nonces", body)
    return found
