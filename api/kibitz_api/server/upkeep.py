"""Commands of `kibitz-server` that keep an installation in order."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    Path | None,
    typer.Option(help="Folder for everything it keeps; default KIBITZ_DATA_DIR, else ./.kibitz."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")]
Days = Annotated[
    float,
    typer.Option(min=0, max=36_500, help="What is from more than so many days ago may go."),
]
Keep = Annotated[
    int,
    typer.Option(
        min=0, max=1_000_000_000, help="So many tournaments keep their records, the last ones."
    ),
]
KINDS = ("records", "messages", "attempts", "snapshots", "logs")


def prune(
    *,
    days: Days = 90,
    keep: Keep = 0,
    what: Annotated[
        list[str] | None,
        typer.Option(help=f"Only this; may be repeated. One of: {', '.join(KINDS)}."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do it; without, it is only said what would be freed.")
    ] = False,
    compact: Annotated[
        bool,
        typer.Option(
            "--compact",
            help="Give the room in a SQLite file back to the disk; needs as much again meanwhile.",
        ),
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Free room: records that archives keep, messages, outputs, old snapshots, old logs.

    Results stay, and with them standings and ratings. Every archive is written and checked before
    a record is deleted; replays read it from there.
    """
    from kibitz_worker.store import open_store

    from kibitz_api.server import prune as work
    from kibitz_api.server.choices import choose, explained

    unknown = [kind for kind in what or () if kind not in KINDS]
    if unknown:
        raise typer.BadParameter(f"{unknown[0]!r} is none of {', '.join(KINDS)}", param_hint="what")
    with explained():
        settings = choose(data_dir=data)
        wish = work.Wish(tuple(kind for kind in KINDS if not what or kind in what), days, keep)
        with open_store(settings.database) as store:
            outcome = work.prune(settings, store, wish, do=yes, compact=compact)
    print(json.dumps(outcome.to_json()) if as_json else outcome.text())
    raise typer.Exit(int(bool(outcome.troubles)))


def archive(
    tournaments: Annotated[list[str], typer.Argument(help="Tournaments that are over, by id.")],
    *,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Write the archives of tournaments into the data folder and check them.

    Anybody can check them again: `kibitz verify --tournament FILE`.
    """
    from kibitz_worker.store import open_store

    from kibitz_api.server import prune as work
    from kibitz_api.server.choices import choose, explained

    with explained():
        settings = choose(data_dir=data)
        with open_store(settings.database) as store:
            files = work.archive(settings, store, tournaments)
    print(json.dumps(files) if as_json else "\n".join(files.values()))


def annul(
    *,
    worker: Annotated[
        str, typer.Option(help="Machine as the health page names it, or machine:process.")
    ],
    since: Annotated[
        datetime, typer.Option(help="Sets it finished from then on (UTC): 2026-03-01T14:00.")
    ],
    reason: Annotated[str, typer.Option(help="Why; shown beside every set.")] = "",
    tournament: Annotated[str | None, typer.Option(help="Only in this tournament.")] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do it; without, it is only said how many there are.")
    ] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Annul what a broken machine has played; ratings are fitted anew without it.

    Every set keeps its result to be looked at, with the reason; running tournaments play another
    set in its place.
    """
    from kibitz_worker.store import open_store

    from kibitz_api.server import annulling
    from kibitz_api.server.choices import choose, explained

    with explained():
        settings = choose(data_dir=data)
        why = reason or f"played on {worker}, which spoilt results"
        moment = since.replace(tzinfo=since.tzinfo or UTC)
        with open_store(settings.database) as store:
            outcome = annulling.annul(
                store, annulling.Wish(worker, moment, tournament, why), do=yes
            )
    print(json.dumps(outcome.to_json()) if as_json else outcome.text())
    raise typer.Exit(int(bool(outcome.kept)))
