"""``kibitz league``: leagues on a server, with seasons, divisions, promotion and relegation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.arguments import Game, Json, Options, Preset, To
from kibitz.cli.creating import Apart, FormatOptions, Preview, Unrated
from kibitz.cli.league_tables import moment, show_division, show_preview, show_season

if TYPE_CHECKING:
    from kibitz.cli.server import Server

commands = typer.Typer(
    help="Found leagues on a server, let bots join them and see how they stand.",
    no_args_is_help=True,
)

Id = Annotated[str, typer.Argument(metavar="LEAGUE", help="The league's id.")]
Bot = Annotated[
    str,
    typer.Argument(help="ana/heart plays as its newest version, ana/heart/3 as that one."),
]
Cron = Annotated[
    str | None,
    typer.Option(help="When seasons begin: '0 18 * * fri', @weekly. Without: one after the other."),
]
Zone = Annotated[str | None, typer.Option("--time-zone", help="As Europe/Rome.  \\[default: UTC]")]
Seasons = Annotated[int | None, typer.Option(help="How many seasons.  \\[default: no end]")]
Late = Annotated[
    str | None,
    typer.Option(help="A season not over at the next date: wait for it, or close it."),
]


Divisions = Annotated[
    str, typer.Option(help="Sizes of the divisions, the highest first, as 8,8,6.")
]
Movers = Annotated[
    str,
    typer.Option(help="How many change places with the division below: 2, or 2,1 for each."),
]
Sets = Annotated[int, typer.Option(help="Duplicate sets for each pairing.", min=1)]
Starts = Annotated[str | None, typer.Option(help="No season before: 2027-01-08, 2027-01-08T18:00.")]
Joining = Annotated[str, typer.Option(help="Who brings bots: anybody, or the organiser alone.")]
Newcomers = Annotated[
    str, typer.Option(help="Where they come in: at the lowest place, or by rating.")
]
Format = Annotated[
    str, typer.Option("--format", help="round_robin, swiss, knockout, halving or individual.")
]


@commands.command()
def create(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    game: Game,
    bots: Annotated[
        list[str] | None, typer.Argument(help="Bots to begin with, the highest first.")
    ] = None,
    divisions: Divisions = "8",
    movers: Movers = "1",
    sets: Sets = 10,
    cron: Cron = None,
    time_zone: Zone = None,
    starts: Starts = None,
    seasons: Seasons = None,
    late: Late = None,
    joining: Joining = "anybody",
    newcomers: Newcomers = "lowest",
    option: Options = None,
    preset: Preset = None,
    format_: Format = "round_robin",
    format_option: FormatOptions = None,
    unrated: Unrated = False,
    apart: Apart = False,
    preview: Preview = False,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Found a league. Its seasons are made, played and closed by themselves."""
    from kibitz.cli.server import Server

    body: dict[str, object] = {"name": name, "bots": bots or [], "sets": sets, "format": format_}
    body |= {"divisions": read_divisions(divisions, movers), "rated": not unrated}
    body |= {"one_owner": not apart, "joining": joining, "newcomers": newcomers}
    body |= _game(game, preset, option, format_option)
    body |= given(cron=cron, time_zone=time_zone, starts=starts, seasons=seasons, late=late)
    with Server(to) as server:
        if preview:
            show_preview(server.post("leagues/preview", body), as_json)
        else:
            _tell(server, server.create("leagues", body), as_json)


def _game(
    game: str, preset: str | None, options: list[str] | None, format_options: list[str] | None
) -> dict[str, object]:
    from kibitz.cli.arguments import make_game
    from kibitz.cli.creating import read_format_options

    chosen = make_game(game, preset, options).options()
    return {"game": game, "options": chosen, "format_options": read_format_options(format_options)}


def given(**values: object) -> dict[str, object]:
    """Return the values that are not None."""
    return {key: value for key, value in values.items() if value is not None}


def read_divisions(sizes: str, movers: str) -> list[dict[str, object]]:
    """Return divisions from ``8,8,6`` and ``2,1``; one number of movers holds for all.

    Raises:
        CommandError: what is given are no numbers, or not as many as there are divisions to part.
    """
    from kibitz.cli.failures import CommandError

    try:
        held = [int(part) for part in sizes.split(",")]
        moving = [int(part) for part in movers.split(",")]
    except ValueError as error:
        raise CommandError(
            f"--divisions {sizes!r} --movers {movers!r}: give numbers with commas, as 8,8,6",
            reason="BAD_DIVISIONS",
        ) from error
    if len(moving) == 1:
        moving *= max(1, len(held) - 1)
    if len(moving) != max(1, len(held) - 1):
        raise CommandError(
            f"--movers {movers}: between {len(held)} divisions there are {len(held) - 1} numbers",
            reason="BAD_DIVISIONS",
        )
    moving = [*moving[: len(held) - 1], 0]
    return [{"size": size, "movers": count} for size, count in zip(held, moving, strict=True)]


def _tell(server: Server, league: Any, as_json: bool) -> None:
    from kibitz.cli.console import clean, dump

    if as_json:
        dump(league)
        return
    print(clean(f"League {league['id']} ({league['state']}): {server.url}{league['url']}"))
    if league["reason"]:
        print(clean(league["reason"]))
    if league["due"]:
        print(f"next season: {moment(league['due'])}")


@commands.command(name="list")
def list_(to: To = None, as_json: Json = False) -> None:
    """List the server's leagues."""
    from kibitz.cli.console import dump
    from kibitz.cli.console import show as show_table
    from kibitz.cli.server import Server

    with Server(to) as server:
        rows = server.items("leagues")
    if as_json:
        dump(rows)
        return
    if not rows:
        print("There is no league yet; `kibitz league create` founds one.")
        return
    show_table(
        (">id", "name", "game", "state", ">bots", ">season", "next season"),
        (
            (
                *(row[key] for key in ("id", "name", "game", "state")),
                *(str(row[key] or "-") for key in ("bots", "season")),
                moment(row["due"]),
            )
            for row in rows
        ),
    )


@commands.command()
def show(league: Id, to: To = None, as_json: Json = False) -> None:
    """Show the divisions of a league as they stand."""
    from kibitz.cli.console import clean, dump
    from kibitz.cli.server import Server

    with Server(to) as server:
        found = server.get(f"leagues/{league}")
        if as_json:
            dump(found)
            return
        season = f"season {found['season']}" if found["season"] else "no season yet"
        print(clean(f"{found['name']}, {found['title']}, {season}"))
        _tell(server, found, False)
    for table in found["tables"]:
        show_division(table)
    if found["waiting"]:
        print(clean("waiting: " + ", ".join(bot["bot"] for bot in found["waiting"])))


@commands.command()
def join(league: Id, bot: Bot, to: To = None, as_json: Json = False) -> None:
    """Let a bot of yours join a league, or play as another version from the next season on."""
    _post(league, "join", to, as_json, bot=bot)


@commands.command()
def leave(
    league: Id,
    bot: Annotated[str, typer.Argument(help="The bot, as ana/heart.")],
    to: To = None,
    as_json: Json = False,
) -> None:
    """Let a bot of yours leave a league; a season under way it plays to its end."""
    _post(league, "leave", to, as_json, bot=bot)


@commands.command()
def pause(league: Id, to: To = None, as_json: Json = False) -> None:
    """Begin no further season of your league; the one under way is played."""
    _post(league, "pause", to, as_json)


@commands.command()
def resume(league: Id, to: To = None, as_json: Json = False) -> None:
    """Go on with your league at its next date."""
    _post(league, "resume", to, as_json)


@commands.command()
def end(league: Id, to: To = None, as_json: Json = False) -> None:
    """End your league for good; a season under way is played and closed."""
    _post(league, "end", to, as_json)


@commands.command()
def close(league: Id, to: To = None, as_json: Json = False) -> None:
    """Cut the season under way short; its tables are made of what has been played."""
    _post(league, "close", to, as_json)


@commands.command()
def calendar(
    league: Id,
    cron: Cron = None,
    no_cron: Annotated[bool, typer.Option("--no-cron", help="One season after the other.")] = False,
    time_zone: Zone = None,
    seasons: Seasons = None,
    no_end: Annotated[bool, typer.Option("--no-end", help="Any number of seasons.")] = False,
    late: Late = None,
    to: To = None,
    as_json: Json = False,
) -> None:
    """Let coming seasons of your league begin by another calendar; what is not given stays."""
    values = given(cron=cron, time_zone=time_zone, seasons=seasons, late=late)
    values |= {"cron": None} if no_cron else {}
    values |= {"seasons": None} if no_end else {}
    _post(league, "calendar", to, as_json, **values)


def _post(league: str, what: str, to: str | None, as_json: bool, **values: object) -> None:
    from kibitz.cli.server import Server

    with Server(to) as server:
        _tell(server, server.post(f"leagues/{league}/{what}", values), as_json)


@commands.command()
def seasons(
    league: Id,
    number: Annotated[
        int | None, typer.Argument(help="Show the tables of this one.", min=1)
    ] = None,
    to: To = None,
    as_json: Json = False,
) -> None:
    """List the seasons of a league, or show the tables of one: final once it is closed."""
    from kibitz.cli.console import dump
    from kibitz.cli.console import show as show_table
    from kibitz.cli.server import Server

    path = f"leagues/{league}/seasons"
    with Server(to) as server:
        found = server.items(path) if number is None else server.get(f"{path}/{number}")
    if as_json:
        dump(found)
        return
    if number is not None:
        show_season(found)
        return
    show_table(
        (">season", "state", "began", "closed", "winner", "reason"),
        (
            (
                str(row["number"]),
                row["state"],
                moment(row["made"]),
                moment(row["closed"]),
                row["winner"] or "-",
                row["reason"] or "",
            )
            for row in found
        ),
    )
