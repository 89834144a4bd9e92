"""The command ``kibitz``: what a command needs is imported when it runs, so ``--help`` is quick."""

from __future__ import annotations

import os
import sys

DEBUG = "--debug"


def app() -> None:
    """Run the command with the arguments of the process, and exit."""
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    debug = DEBUG in arguments[:end] or bool(os.environ.get("KIBITZ_DEBUG"))
    sys.exit(run([word for i, word in enumerate(arguments) if i >= end or word != DEBUG], debug))


def run(arguments: list[str], debug: bool = False) -> int:
    """Run the command with these arguments; return its exit code.

    Whatever goes wrong is one line on stderr (of JSON, where JSON is asked for), unless ``debug``
    asks for the traceback.
    """
    from kibitz.cli.failures import explain, json_wanted
    from kibitz.cli.main import cli

    try:
        code = cli(arguments, prog_name="kibitz", standalone_mode=False)
    except Exception as error:
        if debug:
            raise
        return explain(error, as_json=json_wanted(arguments))
    return code if isinstance(code, int) else 0
