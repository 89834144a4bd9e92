"""``kibitz submit``: hand a bot in to a server."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from kibitz.cli.server import Server

WAITING = "pending"


def submit(
    path: Annotated[Path, typer.Argument(help="The bot's folder, with its kibitz.toml.")],
    to: Annotated[
        str | None,
        typer.Option(help="The server; default KIBITZ_URL or http://localhost:8000."),
    ] = None,
    wait: Annotated[
        bool, typer.Option(help="Wait for the admission match and tell how it went.")
    ] = True,
    timeout: Annotated[float, typer.Option(help="Seconds to wait at most.", min=1)] = 600,
    as_json: Annotated[bool, typer.Option("--json", help="Print the version as JSON.")] = False,
) -> None:
    """Submit a bot: pack its folder, send it, and wait for its admission match.

    The same name again makes a new version of the same bot. Exit code 0 if the bot was admitted.
    """
    from kibitz.cli.archive import pack
    from kibitz.cli.console import dump
    from kibitz.cli.server import Server
    from kibitz.manifest import Manifest

    manifest = Manifest.read(path)
    content, _ = pack(path)
    with Server(to, timeout=60) as server:
        server.require_token()
        sent = _send(server, manifest.name, content)
        if not as_json:
            again = "" if sent["new"] else " (the same content was submitted before)"
            print(f"{sent['bot']} version {sent['version']}{again}: {_page(server, sent)}")
        version = _wait(server, sent, timeout) if wait else sent
    if as_json:
        dump(version)
    if wait:
        _tell(version, as_json)


def _send(server: Server, name: str, content: bytes) -> Any:
    from kibitz.cli.console import progress

    with progress("{task.percentage:>3.0f} %") as bar:
        task = bar.add_task(f"sending {name}", total=len(content))

        class Watched(io.BytesIO):
            """A file that tells the bar what was read of it."""

            def read(self, size: int | None = -1) -> bytes:
                data = super().read(size)
                bar.advance(task, len(data))
                return data

        return server.upload("submissions", f"{name}.zip", Watched(content))


def _wait(server: Server, sent: Any, timeout: float) -> Any:
    from kibitz.cli.console import progress
    from kibitz.cli.failures import CommandError, say

    number = sent["version_id"]
    until = time.monotonic() + timeout
    pause = 0.2
    try:
        with progress() as bar:
            bar.add_task("admission match", total=None)
            while True:
                version = server.get(f"versions/{number}")
                if version["state"] != WAITING:
                    return version
                if time.monotonic() > until:
                    raise CommandError(
                        f"still waiting for admission after {timeout:.0f} s; "
                        f"it goes on at the server: {_page(server, sent)}",
                        reason="ADMISSION_PENDING",
                    )
                time.sleep(pause)
                pause = min(pause * 1.5, 2.0)
    except KeyboardInterrupt:
        say(f"the admission match goes on at the server: {_page(server, sent)}")
        raise


def _page(server: Server, sent: Any) -> str:
    url = str(sent["url"])
    return url if "://" in url else server.url + url


def _tell(version: Any, quiet: bool) -> None:
    from kibitz.cli.console import clean
    from kibitz.cli.failures import CommandError

    if version["state"] == "admitted":
        if not quiet:
            print(f"Admitted. Enter it in a tournament as {version['label']}.")
        return
    if version.get("log") and not quiet:
        for line in str(version["log"]).splitlines():
            print(clean(line))
    first, _, _ = str(version.get("reason") or "no reason given").partition("Traceback")
    raise CommandError(f"{version['state']}: {' '.join(first.split())}", reason="NOT_ADMITTED")
