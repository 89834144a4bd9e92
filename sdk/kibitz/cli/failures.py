"""Turning what went wrong into one line for the user and an exit code."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

from kibitz.errors import BotError, KibitzError


class CommandError(KibitzError):
    """A command cannot do what it was asked to."""

    reason = "COMMAND_FAILED"


def say(message: str) -> None:
    """Print a message to stderr, with the command's name in front; it may quote anything."""
    from kibitz.cli.console import clean

    lines = [clean(line) for line in message.strip().splitlines()] or [""]
    print("kibitz:", "\n".join(lines), file=sys.stderr)


class Fault(NamedTuple):
    """What went wrong: a reason for programs, words for people, and where, if it has a place."""

    reason: str
    message: str
    where: str | None = None

    def say(self, *, as_json: bool) -> None:
        """Print it to stderr: a line for people, or ``{"error": {"reason": ...}}`` as servers do.

        Results alone go to stdout, so that programs can tell one from the other.
        """
        if as_json:
            print(json.dumps({"error": self._asdict()}), file=sys.stderr)
        else:
            say(f"{self.where}: {self.message}" if self.where else self.message)


def json_wanted(arguments: Sequence[str]) -> bool:
    """Tell whether the arguments of a command ask for JSON."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return "--json" in arguments[:end]


def fault_of(error: Exception) -> Fault:
    """Return what an error of a command means."""
    if isinstance(error, BotError) and error.where:
        file, _, _ = error.where.rpartition(":")
        said = str(error).removeprefix(f"{file} ") if file else str(error)
        return Fault(error.reason, said, error.where)
    if isinstance(error, KibitzError):
        return Fault(error.reason, str(error))
    if isinstance(error, OSError):
        reason = errno.errorcode.get(error.errno or 0, "FILE")
        where = str(error.filename) if error.filename else None
        return Fault(reason, (error.strerror if where else None) or str(error), where)
    words = f"{type(error).__name__}: {error} (a bug of kibitz; --debug shows where)"
    return Fault("INTERNAL", words)


def explain(error: Exception, *, as_json: bool = False) -> int:
    """Say on stderr what went wrong; return the exit code: 2 for wrong usage, else 1."""
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):  # typer's own
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        # A command without arguments has shown its help already and has no message of its own.
        if message := error.format_message():
            Fault("USAGE", f"{message}{hint}").say(as_json=as_json)
        return int(error.exit_code)
    if isinstance(error, BrokenPipeError):
        # The reader has gone, as in `kibitz games | head -1`; at exit there is one more flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    fault_of(error).say(as_json=as_json)
    return 1
