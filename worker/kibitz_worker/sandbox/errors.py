"""What can go wrong when a bot is to be started in the sandbox."""

from kibitz_worker.errors import WorkerError


class SandboxError(WorkerError):
    """A bot cannot be started safely; `reason` is machine-readable.

    `NO_SANDBOX`: no layer works here and the caller did not ask for running bare. `DATA_EXPOSED`:
    the bot's folder lies in a tree that all bots see. `DATA_HIDDEN`: the bot could not read its own
    folder. `NO_SOCKET`: the referee's socket does not exist. `NOT_STARTED`: the operating system
    refused to start the process.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message, reason=reason)
