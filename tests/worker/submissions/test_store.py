"""Versions on the disk: whole or not at all."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kibitz_worker.submissions import (
    SubmissionError,
    check_upload,
    content_hash,
    folder_hash,
    versions_folder,
)

Files = dict[str, bytes]
MakeZip = Callable[..., io.BytesIO]


def test_a_version_lies_in_a_folder_of_its_hash(
    make_zip: MakeZip, bot: Files, tmp_path: Path
) -> None:
    files = bot | {"lib/deep/run.sh": b"#!/bin/sh\n", "empty": b""}
    folder = check_upload(make_zip(files)).store(tmp_path)
    assert folder == tmp_path / "versions" / content_hash(files)
    read = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.*")}
    assert read == {name: content for name, content in files.items() if "." in name}
    assert folder_hash(folder) == folder.name
    assert os.access(folder / "lib/deep/run.sh", os.X_OK)
    assert folder.stat().st_mode & 0o777 == 0o755
    assert (folder / "bot.py").stat().st_mode & 0o777 == 0o644


def test_storing_again_changes_nothing(make_zip: MakeZip, bot: Files, tmp_path: Path) -> None:
    folder = check_upload(make_zip(bot)).store(tmp_path)
    before = (folder / "bot.py").stat()
    assert check_upload(make_zip(bot)).store(tmp_path) == folder
    assert (folder / "bot.py").stat().st_ino == before.st_ino
    assert [p.name for p in versions_folder(tmp_path).iterdir()] == [folder.name]


def test_many_at_once_store_one_version(make_zip: MakeZip, bot: Files, tmp_path: Path) -> None:
    submission = check_upload(make_zip(bot | {f"f{n}": bytes(n) for n in range(50)}))
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda _: submission.store(tmp_path), range(16)))
    assert len(set(folders)) == 1
    assert folder_hash(folders[0]) == submission.content_hash
    assert [p.name for p in versions_folder(tmp_path).iterdir()] == [submission.content_hash]


@pytest.mark.parametrize("damage", ["change", "delete", "add", "link"])
def test_a_damaged_version_is_noticed_and_replaced(
    make_zip: MakeZip, bot: Files, tmp_path: Path, damage: str
) -> None:
    submission = check_upload(make_zip(bot))
    folder = submission.store(tmp_path)
    file = folder / "bot.py"
    if damage == "change":
        file.write_text("import os\n")
    elif damage == "add":
        (folder / "extra.py").touch()
    else:
        file.unlink()
        if damage == "link":
            file.symlink_to("/etc/passwd")
    assert folder_hash(folder) != folder.name
    assert submission.store(tmp_path) == folder
    assert folder_hash(folder) == folder.name


def test_a_full_disk_leaves_nothing_half_done(bot: Files, tmp_path: Path) -> None:
    """The size of files is limited in a process of its own, which fails like a full disk."""
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from kibitz_worker.submissions.versions import keep\n"
        "from kibitz_worker.submissions import SubmissionError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n"
        "    keep({'a': b'x', 'big': bytes(5000)}, Path(sys.argv[1]))\n"
        "except SubmissionError as error:\n"
        "    print(error.reason, error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("NOT_STORED the server could not store the bot: ")
    assert list(versions_folder(tmp_path).iterdir()) == []


def test_a_data_folder_that_is_a_file_is_told(
    make_zip: MakeZip, bot: Files, tmp_path: Path
) -> None:
    (tmp_path / "versions").write_text("in the way")
    with pytest.raises(SubmissionError) as caught:
        check_upload(make_zip(bot)).store(tmp_path)
    assert caught.value.reason == "NOT_STORED"
