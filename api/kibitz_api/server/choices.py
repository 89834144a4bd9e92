"""From command line to settings, and from errors to one line and an exit code."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from kibitz.cli.failures import Fault, fault_of, json_wanted
from kibitz.errors import KibitzError
from kibitz_worker.errors import WorkerError
from kibitz_worker.settings import Settings, load_settings

from kibitz_api.server.errors import NotInstalledError, ServerError

DEFAULT_DATA = Path(".kibitz")


def choose(**given: object) -> Settings:
    """Return the settings: what the command line gave, else the environment, else the defaults.

    Without KIBITZ_DATA_DIR the data folder is ``.kibitz`` in the current folder. Raises
    SettingsError.
    """
    values = {name: value for name, value in given.items() if value is not None}
    if not os.environ.get("KIBITZ_DATA_DIR"):
        values.setdefault("data_dir", DEFAULT_DATA)
    return load_settings(**values)


@contextmanager
def explained() -> Iterator[None]:
    """Turn the errors an operator can mend into one line on stderr and exit code 1.

    The line is JSON where the command was asked for JSON.
    """
    try:
        yield
    except (ServerError, WorkerError, KibitzError) as error:
        stop(error.reason, str(error))
    except ModuleNotFoundError as error:
        missing = NotInstalledError(error.name or "?")
        stop(missing.reason, str(missing))
    except OSError as error:  # a file or folder that is in the way, no right to it, a full disk
        fault = fault_of(error)
        stop(fault.reason, f"{fault.where}: {fault.message}." if fault.where else fault.message)


def stop(reason: str, message: str) -> NoReturn:
    """Say why in one line and end with code 1."""
    if json_wanted(sys.argv[1:]):
        Fault(reason, message).say(as_json=True)
    else:
        print(f"kibitz-server: {message}", file=sys.stderr)
    raise SystemExit(1)


def say(message: str) -> None:
    """Tell the operator something while the server runs."""
    print(message, flush=True)
