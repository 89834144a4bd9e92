"""What can go wrong at the referee, by whom it concerns.

RefereeError
├── RefusedError   a bot or a worker asked for something it cannot have; it is told so
├── StartError     the referee cannot start; the operator is told so
└── BrokenOffError a match cannot go on, through no play of a bot
"""

from __future__ import annotations

import grpc
from kibitz.errors import KibitzError


class RefereeError(KibitzError):
    """The root of the referee's errors."""


class RefusedError(RefereeError):
    """A peer asked for something it cannot have.

    Attributes:
        code: the gRPC status that says so; ``reason`` goes into the trailing metadata.
    """

    def __init__(self, code: grpc.StatusCode, reason: str, message: str) -> None:
        super().__init__(message, reason=reason)
        self.code = code


class StartError(RefereeError):
    """The referee cannot start."""


class BrokenOffError(RefereeError):
    """A match cannot go on, through no play of a bot; ``seat`` is whom it broke at, if anybody."""

    def __init__(self, reason: str, message: str, seat: int | None = None) -> None:
        super().__init__(message, reason=reason)
        self.seat = seat
