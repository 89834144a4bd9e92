"""What can go wrong at the referee, by whom it concerns.

RefereeError
├── RefusedError   a bot or a worker asked for something it cannot have; it is told so
├── StartError     the referee cannot start; the operator is told so
└── BrokenOffError a match cannot go on, through no play of a bot
"""

from __future__ import annotations

from typing import Any

import grpc
from kibitz.client.options import REASON_KEY
from kibitz.errors import KibitzError

MOST_WORDS = 600
"""So many characters of a refusal are told: gRPC carries 8 kB, and may write 12 bytes for each."""


class RefereeError(KibitzError):
    """The root of the referee's errors."""


class RefusedError(RefereeError):
    """A peer asked for something it cannot have.

    Attributes:
        code: the gRPC status that says so; ``reason`` goes into the trailing metadata.
    """

    def __init__(self, code: grpc.StatusCode, reason: str, message: str) -> None:
        super().__init__(_shortened(message), reason=reason)
        self.code = code

    def tell(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        """Make this the end of a call whose handler returns now."""
        context.set_code(self.code)  # abort() would leave frames and calls to be collected
        context.set_details(str(self))
        context.set_trailing_metadata(((REASON_KEY, self.reason),))


class StartError(RefereeError):
    """The referee cannot start."""


class BrokenOffError(RefereeError):
    """A match cannot go on, through no play of a bot; ``seat`` is whom it broke at, if anybody."""

    def __init__(self, reason: str, message: str, seat: int | None = None) -> None:
        super().__init__(message, reason=reason)
        self.seat = seat


def _shortened(text: str) -> str:
    half = MOST_WORDS // 2 - 3
    return text if len(text) <= MOST_WORDS else f"{text[:half]} ... {text[-half:]}"
