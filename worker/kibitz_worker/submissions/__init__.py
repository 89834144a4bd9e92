"""Uploads of strangers: checked as hostile, hashed, unpacked once.

    try:
        submission = check_upload(upload.file)          # a seekable binary file
    except SubmissionError as error:
        ...                                             # error.reason, str(error), error.file
    folder = submission.store(settings.data_dir)        # data_dir/versions/HASH
    submit_version(..., submission.manifest.name, submission.content_hash, path=str(folder), ...)

Checking runs nothing of the bot and writes nothing; it may take a second, so call it in a thread.
Bots run in `kibitz_worker.sandbox` only, also for admission. `folder_hash(folder) == folder.name`
says that a stored version is still what was submitted; ask before starting it.
"""

from kibitz_worker.submissions.errors import SubmissionError
from kibitz_worker.submissions.hashing import content_hash, folder_hash
from kibitz_worker.submissions.limits import DEFAULT_LIMITS, UploadLimits
from kibitz_worker.submissions.submission import Submission, check_upload
from kibitz_worker.submissions.versions import versions_folder

__all__ = [
    "DEFAULT_LIMITS",
    "Submission",
    "SubmissionError",
    "UploadLimits",
    "check_upload",
    "content_hash",
    "folder_hash",
    "versions_folder",
]
