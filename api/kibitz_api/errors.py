"""What the API says when it cannot do what was asked.

    ApiError                    status  when
    ├── InvalidRequestError     422     the request is well-formed but cannot be meant
    ├── UnauthenticatedError    401     a token is needed and missing or unknown
    ├── ForbiddenError          403     the token's owner may not do this
    ├── NotFoundError           404     nothing has this name
    ├── ConflictError           409     not now: the state of things forbids it
    ├── TooLargeError           413     the upload is over the limit
    ├── TooManyRequestsError    429     asked too often
    └── UnavailableError        503     a part of the installation does not answer

All answer ``{"error": {"reason": "UPPER_SNAKE", "message": "...", "where": ...}}``; browsers get
the same words as a page.
"""

from collections.abc import Sequence
from typing import ClassVar


class ApiError(Exception):
    """A refusal with a machine-readable reason, words for people and the place of the fault."""

    status: ClassVar[int] = 500

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        where: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.where = where
        self.headers = headers or {}


class InvalidRequestError(ApiError):
    status = 422


class UnauthenticatedError(ApiError):
    status = 401

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message, headers={"WWW-Authenticate": "Bearer"})


class ForbiddenError(ApiError):
    status = 403


class NotFoundError(ApiError):
    status = 404

    def __init__(
        self, kind: str, name: object, *, where: str | None = None, known: Sequence[str] = ()
    ) -> None:
        there = f"; there are {', '.join(known)}" if known else ""
        super().__init__(
            f"{kind.upper()}_NOT_FOUND", f"There is no {kind} {name!s:.80}{there}.", where=where
        )


class ConflictError(ApiError):
    status = 409


class TooLargeError(ApiError):
    status = 413


class TooManyRequestsError(ApiError):
    status = 429


class UnavailableError(ApiError):
    status = 503
