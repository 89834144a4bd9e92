"""Headers and checks that hold for every answer: content policy, framing, cross-site writes."""

import secrets
from urllib.parse import urlsplit

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kibitz_api.errors import ForbiddenError

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def content_policy(nonce: str) -> str:
    """The Content-Security-Policy of a page: our own files, inline script only with the nonce."""
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' 'nonce-{nonce}'",
            # Widths and places of bars in charts are set by style attributes.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


class SecurityHeaders:
    """Adds the security headers to every response and a nonce to every request's state."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(16)
        scope.setdefault("state", {})["nonce"] = nonce

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", content_policy(nonce))
                headers.setdefault("X-Content-Type-Options", "nosniff")
                headers.setdefault("X-Frame-Options", "DENY")
                headers.setdefault("Referrer-Policy", "same-origin")
                headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
                headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
            await send(message)

        await self.app(scope, receive, send_with_headers)


def require_same_origin(request: Request) -> None:
    """Refuse a write that a page of another site made the browser send.

    A request with a bearer token is a program's and cannot be forged that way; other schemes a
    browser may add by itself, as for a proxy that asks for a password.
    """
    scheme = request.headers.get("authorization", "").partition(" ")[0]
    if request.method in SAFE_METHODS or scheme.lower() == "bearer":
        return
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        raise ForbiddenError("CROSS_SITE", "A page of another site sent this form; it was refused.")
    origin = request.headers.get("origin") or request.headers.get("referer")
    if origin is None:
        return
    if _place(origin) != request.headers.get("host", ""):
        raise ForbiddenError("CROSS_SITE", "A page of another site sent this form; it was refused.")


def _place(origin: str) -> str | None:
    """The host and port of an address; None for what is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None
