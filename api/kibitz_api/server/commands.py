"""The command `kibitz-server`."""

import os
import sys
from importlib.metadata import version
from typing import Annotated, Any

import typer

from kibitz_api.server import upkeep
from kibitz_api.server.upkeep import Data


class Commands(typer.Typer):
    """Says what is wrong with arguments as JSON too, where JSON is asked for."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Run the command that the process was started for, and exit."""
        from kibitz.cli.failures import explain, json_wanted

        if not json_wanted(sys.argv[1:]):
            return super().__call__(*arguments, **options)
        try:
            code = super().__call__(*arguments, standalone_mode=False, **options)
        except Exception as error:
            sys.exit(explain(error, as_json=True))
        sys.exit(code if isinstance(code, int) else 0)


app = Commands(
    help="A server for tournaments of card-playing bots.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from kibitz.build import server_builds

        print(f"kibitz-server {version('kibitz-server')} ({server_builds()})")
        raise typer.Exit


@app.callback()
def main(
    *,
    shown: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """A server for tournaments of card-playing bots."""


Host = Annotated[str | None, typer.Option(help="Address of the dashboard; default 127.0.0.1.")]
Port = Annotated[
    int | None, typer.Option(help="Port of the dashboard; default 8000.", min=1, max=65535)
]
Listen = Annotated[
    str | None, typer.Option(help="HOST:PORT for bots that run elsewhere; empty for none.")
]
Trust = Annotated[
    bool | None,
    typer.Option("--trust", help="Run submitted bots without a sandbox where none works."),
]
Workers = Annotated[int | None, typer.Option(help="Job processes of the worker.", min=1, max=256)]


@app.command()
def up(
    *,
    data: Data = None,
    host: Host = None,
    port: Port = None,
    listen: Listen = None,
    trust: Trust = None,
    workers: Workers = None,
) -> None:
    """Run a whole server until Ctrl-C; a second start on the folder goes on where it stopped."""
    from kibitz_api.server.choices import choose, explained
    from kibitz_api.server.up import run

    with explained():
        run(
            choose(
                data_dir=data,
                http_host=host,
                http_port=port,
                referee_listen=listen,
                trust=trust,
                workers=workers,
            )
        )


@app.command()
def demo(
    *,
    data: Data = None,
    host: Host = None,
    port: Port = None,
    end: Annotated[
        bool, typer.Option("--exit", help="End with code 0 when the leagues are complete.")
    ] = False,
    browser: Annotated[
        bool, typer.Option(help="Open the dashboard where there is a display.")
    ] = True,
) -> None:
    """Run a whole server with sample bots and a small league in each game."""
    from kibitz_api.server.choices import choose, explained
    from kibitz_api.server.demo import run

    with explained():
        settings = choose(data_dir=data, http_host=host, http_port=port)
        run(settings, end=end, browser=browser and not end)


@app.command()
def referee(data: Data = None, listen: Listen = None) -> None:
    """Run a referee alone; workers and bots reach it by its sockets in the data folder."""
    from kibitz_api.server.choices import choose, explained
    from kibitz_api.server.installation import referee_options

    with explained():
        settings = choose(data_dir=data, referee_listen=listen)
        become("kibitz_referee", referee_options(settings), settings.environment())


@app.command()
def worker(data: Data = None, trust: Trust = None, workers: Workers = None) -> None:
    """Run a worker alone, beside a referee on the same machine."""
    from kibitz_api.server.choices import choose, explained

    with explained():
        settings = choose(data_dir=data, trust=trust, workers=workers)
        become("kibitz_worker", [], settings.environment())


@app.command()
def api(data: Data = None, host: Host = None, port: Port = None) -> None:
    """Run the dashboard and its API alone."""
    from kibitz_api.server.choices import choose, explained

    with explained():
        settings = choose(data_dir=data, http_host=host, http_port=port)
        become("kibitz_api", [], settings.environment())


@app.command()
def backfill(data: Data = None) -> None:
    """Read roles and luck out of the records of matches that older versions of Kibitz played."""
    from kibitz_worker.store import open_store
    from kibitz_worker.work.ledger import backfill as read_records

    from kibitz_api.server.choices import choose, explained

    with explained(), open_store(choose(data_dir=data).database) as store:
        print(f"{read_records(store)} matches read; the next ratings tell what was in them")


app.command()(upkeep.annul)
app.command()(upkeep.archive)
app.command()(upkeep.prune)


@app.command()
def doctor(
    data: Data = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Look whether this machine has what a server needs; exit code 1 if something is missing."""
    from kibitz_api.server.choices import choose, explained
    from kibitz_api.server.doctor import examine

    with explained():
        raise typer.Exit(examine(choose(data_dir=data), as_json=as_json))


def become(module: str, options: list[str], environment: dict[str, str]) -> None:
    """Replace this process by a part of the server, so that signals reach it directly."""
    sys.stdout.flush()
    os.execve(  # noqa: S606  no shell on purpose
        sys.executable,
        [sys.executable, "-m", module, *options],
        {**os.environ, **environment},
    )
