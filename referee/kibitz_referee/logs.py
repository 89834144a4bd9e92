"""Logging: readable on a terminal, one JSON object a line elsewhere."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import grpc
import structlog

LEVELS = ("debug", "info", "warning", "error")

_NOT_SENT = 'Failed "execute_batch"'


class Lossy:
    """A stream that drops what cannot be written, so that a full disk ends nobody who logs."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text if that is possible."""
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Write out what waits, if that is possible."""
        with suppress(OSError):
            self._stream.flush()


def tells_of_a_fault(record: logging.LogRecord) -> bool:
    """Return whether a record of gRPC tells of more than a peer that didn't wait for its answer.

    Of such a peer gRPC tells as of an error, with a traceback, if the peer went just before the
    answer was sent. The same kind of error with other words says that gRPC was used wrongly.
    """
    error = record.exc_info[1] if record.exc_info else None
    gone = isinstance(error, grpc.aio.InternalError) and str(error).startswith(_NOT_SENT)
    return not gone


def configure(level: str) -> None:
    """Send log lines of a level and above to stderr."""
    terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(),
            structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, Lossy(sys.stderr))),
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    logging.getLogger("grpc._cython.cygrpc").addFilter(tells_of_a_fault)
