"""What requests are served with: the store, the live hub, and who is asking.

Endpoints name what they need by type: `ReadSession`, `Asker`, `TokenUser`, `ServicesDep`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPBearer
from kibitz_worker.settings import Settings
from kibitz_worker.store import Store
from kibitz_worker.store.accounts import user_of_token
from sqlalchemy.orm import Session

from kibitz_api.assets import Assets
from kibitz_api.errors import UnauthenticatedError
from kibitz_api.limits import Limiter
from kibitz_api.live.hub import Hub
from kibitz_api.security import require_same_origin

COOKIE = "kibitz_token"
TOKEN_MAX = 200

# Only so that the scheme stands in the OpenAPI description; the reading is done below.
bearer_scheme = HTTPBearer(auto_error=False, description="The token written to data_dir/token.")


@dataclass
class Services:
    """What lives as long as the app."""

    settings: Settings
    store: Store
    redis_url: str
    hub: Hub
    assets: Assets
    limiter: Limiter = field(default_factory=Limiter)


def services(request: Request) -> Services:
    """Give an endpoint what lives as long as the app."""
    found: Services = request.app.state.services
    return found


ServicesDep = Annotated[Services, Depends(services)]


def read_session(services: ServicesDep) -> Iterator[Session]:
    """Give an endpoint one consistent state of the database."""
    with services.store.read() as session:
        yield session


def write_session(services: ServicesDep) -> Iterator[Session]:
    """Give an endpoint a transaction, committed when the endpoint returns."""
    with services.store.write() as session:
        yield session


# Ends before the answer is sent, so that a slow reader holds no database connection.
ReadSession = Annotated[Session, Depends(read_session, scope="function")]
WriteSession = Annotated[Session, Depends(write_session, scope="function")]


@dataclass(frozen=True)
class Person:
    """A user as pages and checks need it, outliving the session it was read in."""

    id: int
    name: str


def user_of(session: Session, token: str) -> Person | None:
    """The user whose unrevoked token this is."""
    user = user_of_token(session, token)
    return Person(user.id, user.name) if user else None


def bearer(request: Request) -> str | None:
    """The token of the `Authorization` header, if there is one."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def asker(
    request: Request,
    session: ReadSession,
    _scheme: Annotated[object, Depends(bearer_scheme)],
) -> Person | None:
    """Who asks: by bearer token, else by the dashboard's cookie; None for anybody.

    A bearer token that nobody has is refused rather than taken for no token.
    """
    token = bearer(request)
    if token is not None:
        person = user_of(session, token) if len(token) <= TOKEN_MAX else None
        if person is None:
            raise UnauthenticatedError("TOKEN_UNKNOWN", "Nobody has this token, or it was revoked.")
    else:
        cookie = request.cookies.get(COOKIE, "")[:TOKEN_MAX]
        person = user_of(session, cookie) if cookie else None
    request.state.viewer = person
    return person


Asker = Annotated[Person | None, Depends(asker)]


def token_user(request: Request, person: Asker) -> Person:
    """Who asks, where that must be known; writes of other sites' pages are refused."""
    require_same_origin(request)
    if person is None:
        raise UnauthenticatedError(
            "TOKEN_NEEDED",
            "A token is needed: send 'Authorization: Bearer TOKEN', or log in at /login.",
        )
    return person


TokenUser = Annotated[Person, Depends(token_user)]
