"""``kibitz tournament``: start tournaments on a server and follow them."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.arguments import Game, Json, Options, Preset, To
from kibitz.cli.exporting import export
from kibitz.cli.standings import show_standings

if TYPE_CHECKING:
    from kibitz.cli.server import Server

commands = typer.Typer(help="Start tournaments on a server and follow them.", no_args_is_help=True)
commands.command()(export)

Id = Annotated[str, typer.Argument(help="The tournament's id.")]
Follow = Annotated[
    bool, typer.Option("--follow", help="Show the progress until it is over, and its standings.")
]

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
Priority = Annotated[
    int, typer.Option(help="Each step doubles its share of the workers.", min=-5, max=5)
]
Absence = Annotated[
    str,
    typer.Option(help="Sets of self-hosted bots that stay away: wait, void or forfeit."),
]
WaitSeconds = Annotated[
    int, typer.Option(help="How long a self-hosted bot may stay away before that.", min=0)
]
Wait = Annotated[
    bool, typer.Option("--wait", help="Do not start yet, so that owners can add nonces.")
]


@commands.command()
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
    apart: Apart = False,
    priority: Priority = 0,
    absence: Absence = "wait",
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
    from kibitz.cli.tournament_lines import show_preview

    body: dict[str, object] = {"game": game, "entrants": bots, "sets": sets, "name": name}
    body |= {
        "options": make_game(game, preset, option).options(),
        "format": format_,
        "format_options": read_format_options(format_option),
        "rated": not unrated,
        "one_owner": not apart,
        "priority": priority,
        "absence": absence,
        "wait_seconds": wait_seconds,
    }
    with Server(to) as server:
        if preview:
            show_preview(server.post("tournaments/preview", body), as_json)
        else:
            _tell(server, _made(server, body, wait), follow, as_json)


def _made(server: Server, body: dict[str, object], wait: bool) -> Any:
    """Create a tournament with a nonce of one's own, and start it unless it is to wait."""
    made = server.post("tournaments", {**body, "start": False})
    add_nonce(server, made["id"])
    return made if wait else server.post(f"tournaments/{made['id']}/start", {})


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


@commands.command(name="nonce")
def nonce_(
    tournament: Id,
    nonce: Annotated[
        str | None,
        typer.Argument(help="Up to 64 letters, digits, _ . -  \\[default: 32 random digits]"),
    ] = None,
    bot: Annotated[str | None, typer.Option(help="Only for this bot of yours.")] = None,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Add a nonce to the luck of your bots in a tournament that has not started.

    Decks come from the server's secret, whose hash is known by then, and from the nonces: what
    nobody could know beforehand, nobody can have arranged.
    """
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        found = add_nonce(server, tournament, nonce, bot)
    if as_json:
        dump(found)
        return
    for each in found:
        print(f"{each['bot']}/{each['version']}  {each['nonce']}")
    if not found:
        print("You have no bot in this tournament.")


@commands.command()
def start(tournament: Id, follow: Follow = False, to: To = None, as_json: Json = False) -> None:
    """Start a tournament of yours that was created with --wait, or go on after a pause."""
    from kibitz.cli.server import Server

    with Server(to) as server:
        _tell(server, server.post(f"tournaments/{tournament}/start", {}), follow, as_json)


def _tell(server: Server, made: Any, follow: bool, as_json: bool) -> None:
    from kibitz.cli.console import dump

    if not as_json:
        print(f"Tournament {made['id']} ({made['state']}): {_page(server.url, made)}")
        print(f"Decks come from a secret with SHA-256 {made['commitment']}")
    if follow:
        _follow(server, made, as_json)
    elif as_json:
        dump(made)


@commands.command()
def pause(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Begin no more sets of your tournament; those under way are finished."""
    _change(tournament, "pause", to, as_json)


@commands.command()
def resume(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Go on with your tournament after a pause."""
    _change(tournament, "resume", to, as_json)


@commands.command()
def cancel(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """End your tournament early, for good; finished sets keep counting."""
    _change(tournament, "cancel", to, as_json)


@commands.command()
def extend(
    tournament: Id,
    by: Annotated[
        int,
        typer.Argument(help="Sets a table, rounds of a Swiss, sets for each of a ladder.", min=1),
    ],
    to: To = None,
    as_json: Json = False,
) -> None:
    """Let your tournament play longer."""
    _change(tournament, "extend", to, as_json, by=by)


def _change(tournament: str, what: str, to: str | None, as_json: bool, **values: object) -> None:
    from kibitz.cli.server import Server

    with Server(to) as server:
        changed = server.post(f"tournaments/{tournament}/{what}", values)
        _tell(server, changed, False, as_json)


@commands.command(name="watch")
@commands.command(name="follow", hidden=True)
def follow_(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Show the progress of a tournament until it is over, then its standings."""
    from kibitz.cli.server import Server

    with Server(to) as server:
        _follow(server, server.get(f"tournaments/{tournament}"), as_json)


def _follow(server: Server, tournament: Any, as_json: bool) -> None:
    from kibitz.cli.console import dump
    from kibitz.cli.failures import CommandError, say
    from kibitz.cli.following import follow

    try:
        found = follow(server, tournament["id"])
    except KeyboardInterrupt:
        say(f"the tournament goes on at the server: {_page(server.url, tournament)}")
        raise
    if as_json:
        dump(found)
    else:
        show_standings(found["standings"])
    if found["state"] == "cancelled":
        why = found.get("reason") or "no reason given"
        raise CommandError(f"the tournament was cancelled: {why}", reason="CANCELLED")


def _page(server: str, tournament: Any) -> str:
    url = str(tournament.get("url") or f"/tournaments/{tournament['id']}")
    return url if "://" in url else server + url


@commands.command(name="list")
def list_(to: To = None, as_json: Json = False) -> None:
    """List the server's tournaments, newest first."""
    from kibitz.cli.console import dump, show
    from kibitz.cli.server import Server

    with Server(to) as server:
        rows = server.items("tournaments")
    if as_json:
        dump(rows)
        return
    show(
        ("id", "name", "game", "state", ">sets"),
        ((row["id"], row["name"], row["game"], row["state"], _progress(row)) for row in rows),
    )


def _progress(row: Any) -> str:
    return f"{row.get('sets_done', 0)}/{row.get('sets_total', 0)}"


@commands.command()
def show(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Show how far a tournament is."""
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server
    from kibitz.cli.tournament_lines import show_rounds, show_waits

    with Server(to) as server:
        found = server.get(f"tournaments/{tournament}")
        if as_json:
            dump(found)
            return
        options = " ".join(f"{key}={value}" for key, value in (found.get("options") or {}).items())
        print(f"{found['id']}  {found['name']}")
        print(f"{found['game']}  {options}")
        print(f"{found['state']}, {_progress(found)} sets  {found.get('reason') or ''}".rstrip())
        show_waits(found)
        show_rounds(found)
        print(_page(server.url, found))


@commands.command()
def standings(tournament: Id, to: To = None, as_json: Json = False) -> None:
    """Show the standings of a tournament, with 95 % intervals."""
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        rows = server.items(f"tournaments/{tournament}/standings")
    if as_json:
        dump(rows)
        return
    show_standings(rows)


@commands.command()
def annul(
    set_id: Annotated[str, typer.Argument(metavar="SET", help="The id of a finished set.")],
    reason: Annotated[str, typer.Option(help="Why; shown beside the set.")],
    to: To = None,
    as_json: Json = False,
) -> None:
    """Strike a finished set of your tournament out; ratings are fitted again without it.

    While the tournament goes on, a new set with new cards is played in its place.
    """
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        found = server.post(f"sets/{set_id}/annul", {"reason": reason})
    if as_json:
        dump(found)
        return
    instead = f"; {found['replaced_by']} is played instead" if found["replaced_by"] else ""
    print(f"Annulled set {found['set']}{instead}.")
