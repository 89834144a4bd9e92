"""Which version somebody means who enters a bot, and whether it is theirs to enter."""

from kibitz_worker.errors import NotFoundError
from kibitz_worker.store.bots import version_labelled
from kibitz_worker.store.models import BotKind, User, Version
from sqlalchemy.orm import Session

from kibitz_api.context import Person
from kibitz_api.errors import ForbiddenError


def version_meant(session: Session, person: Person, label: str) -> Version:
    """Find a version as its owner may write it: `heart`, `heart@3`, `ana/heart`, `ana/heart/3`.

    One's own bot goes before one of the house of the same name. Raises the store's NotFoundError.
    """
    text = label.strip().replace("@", "/")
    asker = session.get_one(User, person.id)
    _, _, number = text.partition("/")
    if not number or number.isdecimal():
        try:
            return version_labelled(session, "/".join(filter(None, (person.name, text))), asker)
        except NotFoundError as error:
            if error.reason == "VERSION_UNKNOWN":
                raise
    return version_labelled(session, text, asker)


def own_version(session: Session, person: Person, label: str, *, house: bool = False) -> Version:
    """Find one's own version, or with `house` one of the house.

    Raises ForbiddenError (NOT_YOUR_BOT) for somebody else's, and what `version_meant` raises.
    """
    version = version_meant(session, person, label)
    if version.bot.owner_id == person.id or (house and version.bot.kind is BotKind.HOUSE):
        return version
    raise ForbiddenError(
        "NOT_YOUR_BOT",
        f"{version.label} belongs to {version.bot.owner.name}; enter a bot of yours.",
    )
