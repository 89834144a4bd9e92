"""From a received zip to a version that waits for its trial."""

from typing import BinaryIO

import kibitz
from kibitz_worker.store.bots import submit_version
from kibitz_worker.store.models import User
from kibitz_worker.submissions import Submission, check_upload

from kibitz_api.context import Person, Services
from kibitz_api.errors import InvalidRequestError
from kibitz_api.submissions.models import SubmissionAnswer


def submit(services: Services, person: Person, file: BinaryIO) -> SubmissionAnswer:
    """Check an upload, keep it, and ask for its trial.

    The same content again is the version that exists; another content of the same name is the
    bot's next version. Raises kibitz_worker's SubmissionError, InvalidError and ConflictError.
    """
    submission = check_upload(file)
    games = playable(submission)
    folder = submission.store(services.settings.data_dir)
    with services.store.write() as session:
        version, new = submit_version(
            session,
            session.get_one(User, person.id),
            bot_name(submission.manifest.name),
            content_hash=submission.content_hash,
            path=str(folder.relative_to(services.settings.data_dir)),
            games=games,
            description=submission.manifest.description,
        )
        return SubmissionAnswer(
            bot=version.bot.label,
            version=version.number,
            version_id=version.id,
            new=new,
            state=version.state.value,
            content_hash=version.content_hash,
            url=f"/versions/{version.id}",
        )


def bot_name(name: str) -> str:
    """The name a manifest gives, as it stands in addresses: small letters, no dots."""
    return name.lower().replace(".", "-")


def playable(submission: Submission) -> list[str]:
    """The games the bot claims; all of them when it names none."""
    known = kibitz.games()
    claimed = submission.manifest.games or known
    for game in claimed:
        if game not in known:
            raise InvalidRequestError(
                "UNKNOWN_GAME",
                f"kibitz.toml: there is no game {game[:40]!r}; games are {', '.join(known)}.",
                where="kibitz.toml",
            )
    return list(claimed)
