"""The command: ``python -m kibitz_referee --socket PATH --control PATH [--listen HOST:PORT]``."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import uvloop
from kibitz import __version__
from kibitz.build import server_builds

from kibitz_referee.errors import StartError
from kibitz_referee.hall import Limits
from kibitz_referee.logs import LEVELS, configure
from kibitz_referee.server import Addresses, Server

EXIT_START = 2

GC_THRESHOLDS = 100_000, 20, 50
"""Hundreds of tables are many objects that live long; looking through them often costs much."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until SIGTERM or Ctrl-C; the second signal doesn't wait for sets under way."""
    options = _parser().parse_args(arguments)
    configure(options.log_level)
    try:
        uvloop.run(_serve(options))
    except StartError as error:
        print(f"kibitz_referee: {error} [{error.reason}]", file=sys.stderr)
        raise SystemExit(EXIT_START) from None


async def _serve(options: argparse.Namespace) -> None:
    control = options.control or options.socket.with_name("control.sock")
    limits = Limits(
        max_tables=options.max_tables,
        tables_per_bot=options.tables_per_bot,
        max_turns=options.max_turns,
        grace=options.grace,
        silence=options.silence,
        heartbeat=options.silence / 4,
    )
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    loop = asyncio.get_running_loop()
    signals: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signals.put_nowait, number)
    server = await Server.start(
        Addresses(options.socket, control, options.listen, options.metrics), limits
    )
    tcp = f", bots at port {server.port}" if server.port else ""
    with contextlib.suppress(OSError):  # a full disk is no reason not to serve
        print(f"referee {__version__} serves bots at unix:{options.socket}{tcp}", flush=True)
    await signals.get()
    stopping = asyncio.ensure_future(server.stop(options.drain))
    again = asyncio.ensure_future(signals.get())
    await asyncio.wait({stopping, again}, return_when=asyncio.FIRST_COMPLETED)
    if not stopping.done():
        stopping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await stopping
        await server.stop(0.0)
    again.cancel()


def _parser() -> argparse.ArgumentParser:
    defaults = Limits()
    parser = argparse.ArgumentParser(
        prog="python -m kibitz_referee",
        description="Play matches between bots that connect by gRPC.",
    )
    parser.add_argument("--version", action="version", version=f"{__version__} ({server_builds()})")
    add = parser.add_argument
    add("--socket", type=Path, required=True, help="Unix socket for bots")
    add("--control", type=Path, help="Unix socket for workers (control.sock beside --socket)")
    add("--listen", metavar="HOST:PORT", help="address for bots that run elsewhere (none)")
    add("--metrics", metavar="HOST:PORT", help="address where Prometheus finds figures (none)")
    add("--max-tables", type=_positive, default=defaults.max_tables, help="%(default)s")
    add(
        "--tables-per-bot",
        type=_positive,
        default=defaults.tables_per_bot,
        help="seats of one bot, unless its admission says otherwise (%(default)s)",
    )
    add(
        "--max-turns",
        type=_positive,
        default=defaults.max_turns,
        help="the most decisions in one message to a bot (%(default)s)",
    )
    _add_times(parser, defaults)
    add("--log-level", choices=LEVELS, default="info", help="%(default)s")
    return parser


def _add_times(parser: argparse.ArgumentParser, defaults: Limits) -> None:
    add = parser.add_argument
    add(
        "--grace",
        type=float,
        default=defaults.grace,
        metavar="SECONDS",
        help="time a bot has to come back (%(default)s)",
    )
    add(
        "--silence",
        type=float,
        default=defaults.silence,
        metavar="SECONDS",
        help="a bot not heard of for so long is taken for gone (%(default)s)",
    )
    add(
        "--drain",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="time for sets under way when stopped (%(default)s)",
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
