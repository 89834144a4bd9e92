"""Turning what went wrong into one line for the user and an exit code."""

from __future__ import annotations

import os
import sys

from kibitz.errors import BotError, KibitzError


class CommandError(KibitzError):
    """A command cannot do what it was asked to."""

    reason = "COMMAND_FAILED"


def say(message: str) -> None:
    """Print a message to stderr, with the command's name in front; it may quote anything."""
    from kibitz.cli.console import clean

    lines = [clean(line) for line in message.strip().splitlines()] or [""]
    print("kibitz:", "\n".join(lines), file=sys.stderr)


def explain(error: Exception) -> int:
    """Print one line that says what went wrong; return the exit code: 2 for wrong usage, else 1."""
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):  # typer's own
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        # A command without arguments has shown its help already and has no message of its own.
        if message := error.format_message():
            say(f"{message}{hint}")
        return int(error.exit_code)
    if isinstance(error, BrokenPipeError):
        # The reader has gone, as in `kibitz games | head -1`; at exit there is one more flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    if isinstance(error, BotError) and error.where:
        file, _, _ = error.where.rpartition(":")
        said = str(error).removeprefix(f"{file} ") if file else str(error)
        say(f"{error.where}: {said}")
    elif isinstance(error, KibitzError):
        say(str(error))
    elif isinstance(error, OSError):
        say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    else:
        say(f"{type(error).__name__}: {error} (a bug of kibitz; --debug shows where)")
    return 1
