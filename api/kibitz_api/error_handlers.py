"""Turns every failure of a request into one shape: JSON for programs, a page for browsers."""

import secrets
import traceback
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

import kibitz
import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from kibitz import KibitzError
from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError, WorkerError
from kibitz_worker.submissions import SubmissionError
from pydantic import BaseModel, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from kibitz_api.errors import ApiError
from kibitz_api.templating import render

log = structlog.get_logger(__name__)

REASONS = {
    400: "BAD_REQUEST",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    413: "TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
}

WORKER_ERRORS: dict[type[WorkerError], int] = {
    SubmissionError: 422,
    NotFoundError: 404,
    ConflictError: 409,
    InvalidError: 422,
}


UNAVAILABLE = "Nothing can be read or stored just now; try again in a moment."


class ErrorDetail(BaseModel):
    reason: str = Field(description="UPPER_SNAKE, stable: for programs.")
    message: str = Field(description="For people; the words may change.")
    where: str | None = Field(default=None, description="Field, query parameter or path at fault.")


class ErrorAnswer(BaseModel):
    error: ErrorDetail


def wants_page(request: Request) -> bool:
    """True for a browser asking for a page: outside /api, and HTML is welcome."""
    if request.url.path.startswith("/api/"):
        return False
    return "text/html" in request.headers.get("accept", "")


def answer(
    request: Request,
    status: int,
    detail: ErrorDetail,
    headers: dict[str, str] | None = None,
) -> Response:
    """Answer a failure as the client can read it."""
    if wants_page(request):
        title = HTTPStatus(status).phrase
        page = render(request, "error.html", status=status, title=title, error=detail)
        page.status_code = status
        page.headers.update(headers or {})
        return page
    body = ErrorAnswer(error=detail).model_dump()
    return JSONResponse(body, status_code=status, headers=headers)


def on_api_error(request: Request, error: ApiError) -> Response:
    """Tell a refusal of the API."""
    detail = ErrorDetail(reason=error.reason, message=error.message, where=error.where)
    return answer(request, error.status, detail, error.headers)


def on_kibitz_error(request: Request, error: KibitzError) -> Response:
    """Rules of a game or a format refused the request: options, cards, records."""
    return answer(request, 422, ErrorDetail(reason=error.reason, message=str(error)))


def _status(error: WorkerError) -> int:
    if error.reason == "NOT_STORED":
        return 503
    if error.reason == "UPLOAD_TOO_LARGE":
        return 413
    return next((n for kind, n in WORKER_ERRORS.items() if isinstance(error, kind)), 503)


def on_worker_error(request: Request, error: WorkerError) -> Response:
    """The store refused: an unknown name, a state that forbids it, values that cannot be."""
    status = _status(error)
    if status == 503:
        log.error("store failed", path=request.url.path, reason=error.reason, error=str(error))
    where = error.file or "file" if isinstance(error, SubmissionError) else None
    # What the machine fails at names its folders and databases, which are nobody else's business.
    words = UNAVAILABLE if status == 503 else _sentence(str(error))
    detail = ErrorDetail(reason=error.reason, message=words, where=where)
    return answer(request, status, detail, {"Retry-After": "5"} if status == 503 else None)


def _sentence(text: str) -> str:
    """Make a sentence of an error's words; a name it begins with stays as it is written."""
    ended = text if text.endswith((".", "!", "?")) else f"{text}."
    first = ended.split(maxsplit=1)[0].rstrip(".")
    plain = first.isalpha() and first not in kibitz.games()
    return ended[:1].upper() + ended[1:] if plain else ended


def on_http_error(request: Request, error: HTTPException) -> Response:
    """Tell what the framework refused: no such path, no such method, a bad form."""
    status = error.status_code
    message = {
        404: f"Nothing lies at {request.url.path:.200}.",
        405: f"{request.method:.20} is not possible here.",
    }.get(status, f"{error.detail.rstrip('.')}.")
    reason = REASONS.get(status) or HTTPStatus(status).phrase.upper().replace(" ", "_")
    where = "path" if status in {404, 405} else None
    detail = ErrorDetail(reason=reason, message=message, where=where)
    return answer(request, status, detail, dict(error.headers or {}))


def on_invalid(request: Request, error: RequestValidationError) -> Response:
    """Tell the first value that has the wrong form; a wrong name in the path names nothing."""
    faults: Sequence[Any] = error.errors()
    first = faults[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["loc"][0] == "path":
        # A name of the wrong form names nothing.
        message = f"Nothing lies at {request.url.path:.200}: {first['loc'][-1]}: {first['msg']}."
        return answer(request, 404, ErrorDetail(reason="NOT_FOUND", message=message, where=where))
    # Whoever reads it knows that a request has a body; `where` tells programs the whole path.
    field = ".".join(str(part) for part in first["loc"][1:]) or where
    words = f"{field}: {first['msg']}" + (
        f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    )
    detail = ErrorDetail(reason="INVALID_REQUEST", message=f"{words}.", where=where)
    return answer(request, 422, detail)


def on_store_error(request: Request, error: Exception) -> Response:
    """Tell that the database failed, without its words."""
    log.error("store failed", path=request.url.path, error=repr(error))
    detail = ErrorDetail(
        reason="STORE_UNAVAILABLE",
        message=UNAVAILABLE,
    )
    return answer(request, 503, detail, {"Retry-After": "5"})


def on_fault(request: Request, error: Exception) -> Response:
    """Our bug: nothing of it goes out but a number that stands in the log beside the cause."""
    number = secrets.token_hex(4)
    trace = "".join(traceback.format_exception(error))
    log.error("unexpected failure", number=number, path=request.url.path, exception=trace)
    detail = ErrorDetail(
        reason="INTERNAL",
        message=f"Kibitz failed here and this is a fault of Kibitz; it is logged as {number}.",
    )
    return answer(request, 500, detail)


# Each takes its own kind of error; the framework's type for handlers cannot say so.
HANDLERS: dict[type[Exception], Callable[[Request, Any], Response]] = {
    ApiError: on_api_error,
    KibitzError: on_kibitz_error,
    WorkerError: on_worker_error,
    HTTPException: on_http_error,
    RequestValidationError: on_invalid,
    SQLAlchemyError: on_store_error,
    Exception: on_fault,
}


def install(app: FastAPI) -> None:
    """Make all failures of the app answer in the one shape."""
    for kind, handler in HANDLERS.items():
        app.add_exception_handler(kind, handler)
