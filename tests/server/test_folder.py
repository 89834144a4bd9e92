"""The data folder is held by one server, and what keeps it from being used is said in a line."""

import subprocess
import sys
from pathlib import Path

import pytest
from kibitz_api.server import folder
from kibitz_api.server.errors import AlreadyUpError, FolderError
from kibitz_worker.errors import StoreError


def test_a_second_server_learns_who_holds_the_folder(tmp_path: Path) -> None:
    with folder.held(tmp_path) as hold:
        hold.note("http://127.0.0.1:8000")
        with (
            pytest.raises(AlreadyUpError, match=r"process \d+, http://127\.0\.0\.1:8000") as caught,
            folder.held(tmp_path),
        ):
            pass
    assert "--data" in str(caught.value)


def test_a_killed_server_leaves_the_folder_free(tmp_path: Path) -> None:
    code = f"""
import time
from pathlib import Path
from kibitz_api.server import folder
with folder.held(Path({str(tmp_path)!r})):
    print("held", flush=True)
    time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    holder.kill()
    holder.wait()
    holder.stdout.close()
    with folder.held(tmp_path) as hold:
        hold.note("http://127.0.0.1:2")
        assert "127.0.0.1:2" in (tmp_path / folder.LOCK).read_text()


def test_a_nearly_full_disk_is_refused_with_what_is_free_and_needed(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"nearly full: \d+ MB are free and Kibitz needs"):
        folder.prepare(tmp_path, least_free=2**60)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written") as caught:
        folder.prepare(tmp_path / "file" / "data")
    assert caught.value.reason == "DATA_DIR_NOT_WRITABLE"


def test_a_folder_that_is_removed_or_exchanged_is_noticed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with folder.held(data) as hold:
        hold.check()
        data.rename(tmp_path / "aside")
        with pytest.raises(FolderError, match="removed or exchanged"):
            hold.check()
        data.mkdir()
        (data / folder.LOCK).write_text("")
        with pytest.raises(FolderError, match="removed or exchanged"):
            hold.check()


def test_what_is_in_the_way_of_a_file_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / folder.LOCK).mkdir()
    command = [sys.executable, "-m", "kibitz_api.server", "up", "--listen", ""]
    ended = subprocess.run(
        [*command, "--data", str(tmp_path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr == f"kibitz-server: {tmp_path / folder.LOCK}: Is a directory.\n"
