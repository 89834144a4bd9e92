"""Bodies of requests have a limit, except uploads, which count for themselves."""

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz_api.error_handlers import ErrorDetail, answer

BODY_MAX = 1 << 20
UPLOADS = frozenset({"/api/v1/submissions", "/submit"})


class BodyLimit:
    """Refuses larger bodies: at once when their length is told, else when too much has come."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in UPLOADS:
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length) > BODY_MAX:
            detail = ErrorDetail(
                reason="TOO_LARGE",
                message=f"A request's body may have {BODY_MAX} bytes at most.",
                where="body",
            )
            await answer(request, 413, detail)(scope, receive, send)
            return
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > BODY_MAX:
                raise HTTPException(413, f"A request's body may have {BODY_MAX} bytes at most")
            return message

        await self.app(scope, counted, send)
