"""What can go wrong in the worker and its store, by what the caller can do about it.

WorkerError
├── SettingsError        a setting has a value that cannot work
├── StoreError           the database or the data folder cannot be used
│   ├── NotFoundError    a name or id that the store does not know
│   ├── ConflictError    the thing exists already, or is in a state that forbids this
│   └── InvalidError     the values given cannot be stored
├── QueueServerError     no Valkey or Redis server could be started or reached
├── RefereeError         the referee refused or is out of reach (never a result of a match)
├── ReportError          a result was refused: it does not verify, or differs from the stored one
├── RatingError          results that cannot be rated (ratings/errors.py)
├── SandboxError         a bot cannot be started safely (sandbox/errors.py)
└── SubmissionError      an upload that is no bot that could be played (submissions/errors.py)

Every error carries ``reason``, an UPPER_SNAKE text for programs, and reads as a sentence for
people.
"""

from __future__ import annotations


class WorkerError(Exception):
    """Root of all errors of this package."""

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class SettingsError(WorkerError):
    """A setting has a value that cannot work."""


class StoreError(WorkerError):
    """The database or the data folder cannot be used."""


class NotFoundError(StoreError):
    """A name or id that the store does not know."""


class ConflictError(StoreError):
    """The thing exists already, or is in a state that forbids this."""


class InvalidError(StoreError):
    """The values given cannot be stored."""


class QueueServerError(WorkerError):
    """No Valkey or Redis server could be started or reached."""


class RefereeError(WorkerError):
    """The referee refused or is out of reach; never a result of a match."""


class ReportError(WorkerError):
    """A result was refused: it does not verify, or differs from the stored one."""
