"""What can be wrong with results that are handed in for rating."""

from kibitz_worker.errors import WorkerError


class RatingError(WorkerError):
    """Results that cannot be rated; `reason` is machine-readable, the text says what and where."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message, reason=reason)
