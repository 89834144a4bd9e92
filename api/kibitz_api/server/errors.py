"""What keeps a server from starting or running, said so that the operator can act.

ServerError
├── PortInUseError     another program listens on the address
├── AlreadyUpError     another server runs on the data folder
├── FolderError        the data folder cannot be used
├── PartFailedError    a part of the server does not come up
└── NotInstalledError  the programs need a package that is not there
"""

import sys
from collections.abc import Sequence
from pathlib import Path


class ServerError(Exception):
    """Root of the errors of `kibitz-server`; ``reason`` is for programs."""

    reason = "SERVER"


class PortInUseError(ServerError):
    """Another program listens on the address."""

    reason = "PORT_IN_USE"

    def __init__(self, host: str, port: int, hint: str) -> None:
        super().__init__(f"Port {port} on {host} is in use by another program. {hint}")


class AlreadyUpError(ServerError):
    """Another server runs on the data folder."""

    reason = "ALREADY_UP"

    def __init__(self, folder: Path, pid: int | None, address: str) -> None:
        process, stop = (f"process {pid}, ", f" (kill {pid})") if pid else ("", "")
        super().__init__(
            f"A Kibitz server runs on {folder} already: {process}{address}. "
            f"Stop it{stop}, or choose another folder with --data."
        )


class FolderError(ServerError):
    """The data folder cannot be used."""

    reason = "FOLDER"


class NotInstalledError(ServerError):
    """The programs are newer than what is installed with them."""

    reason = "NOT_INSTALLED"

    def __init__(self, package: str) -> None:
        super().__init__(
            f"The Python package {package!r} is missing in {sys.prefix}: Kibitz was changed after "
            "it was installed. In a clone run ./dev up, which installs what is new; else "
            "pip install --upgrade kibitz-server."
        )


class PartFailedError(ServerError):
    """A part of the server does not come up, or keeps dying."""

    reason = "PART_FAILED"

    def __init__(self, name: str, how: str, log: Path, last_lines: Sequence[str]) -> None:
        said = "".join(f"\n  {line}" for line in last_lines)
        super().__init__(f"The {name} {how}. The end of its log {log}:{said}")
