"""Why an uploaded bot is refused."""

from kibitz_worker.errors import WorkerError


class SubmissionError(WorkerError):
    """An uploaded zip that is no bot that could be played.

    The text says what is wrong, where, and what would be right; `reason` is machine-readable,
    `file` the file in the zip that is to blame, if one is.
    """

    def __init__(self, reason: str, message: str, file: str = "") -> None:
        super().__init__(message, reason=reason)
        self.file = file
