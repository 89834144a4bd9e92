"""Logging in to the dashboard with a token, and out again.

The cookie holds the token itself: http-only, same-site, and worth exactly what the token is
worth, so that revoking the token ends the session at once on every API process.
"""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from kibitz_api.context import (
    COOKIE,
    TOKEN_MAX,
    ReadSession,
    ServicesDep,
    TokenUser,
    user_of,
)
from kibitz_api.limits import LOGINS
from kibitz_api.security import require_same_origin
from kibitz_api.templating import render

pages = APIRouter(include_in_schema=False)
api = APIRouter(tags=["account"])

DAYS = 30


class Account(BaseModel):
    """Whose token was sent."""

    name: str = Field(description="The user's name, which the names of the own bots begin with.")


@api.get("/account")
def whose_token(person: TokenUser) -> Account:
    """Say whose token was sent, so that a program may try a token before it keeps it."""
    return Account(name=person.name)


def local_path(address: str) -> str:
    """The address when it is a path of this site, else the home page."""
    plain = address.startswith("/") and address.isprintable() and "\\" not in address
    return address if plain and not address.startswith("//") else "/"


def with_cookie(request: Request, token: str, next_path: str) -> Response:
    """Set the cookie and lead on, leaving the token in no address."""
    response = RedirectResponse(local_path(next_path), status_code=303)
    response.set_cookie(
        COOKIE,
        token,
        max_age=DAYS * 86400,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    response.headers["Cache-Control"] = "no-store"
    return response


def enter(request: Request, session: Session, token: str, next_path: str) -> Response:
    """Set the cookie when somebody has this token; else the form again with what was wrong."""
    token = token.strip()
    if token and len(token) <= TOKEN_MAX and user_of(session, token) is not None:
        return with_cookie(request, token, next_path)
    page = render(request, "login.html", next=local_path(next_path), refused=True)
    page.status_code = 401
    return page


@pages.get("/login")
def login(
    request: Request,
    session: ReadSession,
    services: ServicesDep,
    token: Annotated[str | None, Query(max_length=1000)] = None,
    next: Annotated[str, Query(max_length=300)] = "/",  # noqa: A002 - the parameter's public name
) -> Response:
    """Show the form, or log in by the token in the address."""
    if token is None:
        return render(request, "login.html", next=local_path(next), refused=False)
    services.limiter.check(request, "logging in", LOGINS)
    return enter(request, session, token, next)


@pages.post("/login")
def login_by_form(
    request: Request,
    session: ReadSession,
    services: ServicesDep,
    token: Annotated[str, Form(max_length=1000)] = "",
    next: Annotated[str, Form(max_length=300)] = "/",  # noqa: A002 - the parameter's public name
) -> Response:
    """Log in by the token in the form."""
    require_same_origin(request)
    services.limiter.check(request, "logging in", LOGINS)
    return enter(request, session, token, next)


@pages.post("/logout")
def logout(request: Request) -> Response:
    """Forget the token."""
    require_same_origin(request)
    response = RedirectResponse("/", status_code=303)
    response.delete_cookie(COOKIE)
    return response
