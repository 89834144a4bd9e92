"""Requests that make something may carry a key: a second click or try then makes nothing more."""

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Annotated, TypeVar

from fastapi import Header
from kibitz_worker.store.creations import Made, once
from kibitz_worker.store.ids import sha256_hex
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session

from kibitz_api.context import Person

T = TypeVar("T", bound=Made)

KeyHeader = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[!-~]{1,80}$",
        description="A text of your own for this request. Sent again within a week, the same "
        "request makes nothing more and answers what it made then.",
    ),
]
FormKey = Annotated[str, Field(max_length=80)]
"""The hidden field of a form. What was changed in the form since is another request."""


def new_key() -> str:
    """Return a key for a form that is shown."""
    return token_urlsafe(16)


def made_once(
    session: Session,
    person: Person,
    key: str | None,
    wanted: BaseModel,
    make: Callable[[], T],
    find: Callable[[str], T],
    *,
    path: str,
) -> T:
    """Make what was asked for at a path, or find what it made when it was asked before.

    Raises ConflictError (KEY_REUSED) for another request under a key that was used.
    """
    return once(session, person.id, key, f"{path} {wanted.model_dump_json()}", make, find)


def made_by_form(
    session: Session,
    person: Person,
    key: str,
    wanted: BaseModel,
    make: Callable[[], T],
    find: Callable[[str], T],
    *,
    path: str,
) -> T:
    """Make what was entered in a form, or find what the same form with the same entries made."""
    own = sha256_hex(f"{key} {path} {wanted.model_dump_json()}") if key else None
    return made_once(session, person, own, wanted, make, find, path=path)
