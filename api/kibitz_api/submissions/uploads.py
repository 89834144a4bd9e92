"""Receiving a zip: streamed to a file of limited size, whatever its sender claims."""

from collections.abc import AsyncGenerator
from typing import BinaryIO

from fastapi import Request
from kibitz_worker.submissions import DEFAULT_LIMITS
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from kibitz_api.errors import InvalidRequestError, TooLargeError

FIELD = "file"
FRAME = 64 * 1024
"""What a form may need around the file: its boundaries and headers."""

LIMIT = DEFAULT_LIMITS.packed + FRAME


class TooMuchError(MultiPartException):
    """More came than a bot may have; of the parser's own kind, so that it closes its files."""


async def _capped(request: Request) -> AsyncGenerator[bytes]:
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > LIMIT:
            raise TooMuchError("too much")
        yield chunk


def _too_large() -> TooLargeError:
    return TooLargeError(
        "UPLOAD_TOO_LARGE",
        f"A bot's zip may have {DEFAULT_LIMITS.packed >> 20} MiB at most.",
        where=FIELD,
    )


async def received(request: Request) -> UploadFile:
    """The uploaded file of the form field `file`, on disk when it is not small.

    Raises TooLargeError as soon as too much has come, InvalidRequestError for forms without it.
    """
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > LIMIT:
        raise _too_large()
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise InvalidRequestError(
            "NOT_A_FORM",
            "Send the zip as multipart/form-data with the field 'file'.",
            where="content-type",
        )
    try:
        parser = MultiPartParser(request.headers, _capped(request), max_files=1, max_fields=5)
        form = await parser.parse()
    except TooMuchError:
        raise _too_large() from None
    except (MultiPartException, KeyError) as error:
        raise InvalidRequestError(
            "BAD_FORM", f"The form cannot be read: {error}.", where="body"
        ) from error
    file = form.get(FIELD)
    if not isinstance(file, UploadFile) or not file.size:
        await form.close()
        raise InvalidRequestError(
            "FILE_MISSING", "The form has no file in the field 'file'.", where=FIELD
        )
    return file


def opened(file: UploadFile) -> BinaryIO:
    """The content as a seekable binary file."""
    file.file.seek(0)
    return file.file
