"""Further tokens for one's own account: a connected bot needs one of its own."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Form, Path, Request, status
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from kibitz_worker.errors import StoreError
from kibitz_worker.store.models import Token, User
from kibitz_worker.store.tokens import make_token, revoke_own, tokens_of
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from kibitz_api.context import Asker, Person, ReadSession, TokenUser, WriteSession
from kibitz_api.templating import render

api = APIRouter(prefix="/tokens", tags=["account"])
pages = APIRouter(prefix="/account")

TokenId = Annotated[int, Path(ge=1, le=2**62, description="Number of a token of yours.")]


class TokenRequest(BaseModel):
    """What a new token is for."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(max_length=80, description="To tell it from your others: `my second bot`.")


class TokenAnswer(BaseModel):
    id: int
    name: str
    created: datetime


class NewToken(TokenAnswer):
    token: str = Field(description="The token itself; it is told this once.")


@api.get("")
def list_tokens(session: ReadSession, person: TokenUser) -> list[TokenAnswer]:
    """Your tokens that are not revoked; their texts are kept nowhere."""
    return [_told(token) for token in tokens_of(session, _user(session, person))]


@api.post("", status_code=status.HTTP_201_CREATED)
def create(
    response: Response, session: WriteSession, person: TokenUser, wanted: TokenRequest
) -> NewToken:
    """A further token for your account, worth as much as the one you send."""
    response.headers["Cache-Control"] = "no-store"
    token, text = make_token(session, _user(session, person), wanted.name)
    return NewToken(**_told(token).model_dump(), token=text)


@api.delete("/{token_id}")
def revoke(session: WriteSession, person: TokenUser, token_id: TokenId) -> TokenAnswer:
    """Make one of your tokens worthless, at once and for good."""
    return _told(revoke_own(session, _user(session, person), token_id))


@pages.get("")
def account(request: Request, session: ReadSession, person: Asker) -> Response:
    """Show who is logged in, and the tokens of the account."""
    if person is None:
        return RedirectResponse("/login?next=/account", status_code=303)
    return _page(request, session, person)


@pages.post("/tokens")
def create_by_form(
    request: Request,
    session: WriteSession,
    person: TokenUser,
    name: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Make a token from the page and show it once."""
    try:
        _, text = make_token(session, _user(session, person), name)
    except StoreError as refusal:
        page = _page(request, session, person, name=name, fault=str(refusal))
        page.status_code = 422
        return page
    page = _page(request, session, person, made=text)
    page.headers["Cache-Control"] = "no-store"
    return page


@pages.post("/tokens/{token_id}/revoke")
def revoke_by_form(session: WriteSession, person: TokenUser, token_id: TokenId) -> Response:
    """Make a token worthless, from the page."""
    revoke_own(session, _user(session, person), token_id)
    return RedirectResponse("/account", status_code=303)


def _page(request: Request, session: Session, person: Person, **shown: str) -> HTMLResponse:
    tokens = tokens_of(session, _user(session, person))
    return render(
        request, "account.html", tokens=tokens, **{"made": "", "name": "", "fault": "", **shown}
    )


def _user(session: Session, person: Person) -> User:
    return session.get_one(User, person.id)


def _told(token: Token) -> TokenAnswer:
    return TokenAnswer(id=token.id, name=token.name, created=token.created)
