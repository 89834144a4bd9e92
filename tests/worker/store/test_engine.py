"""Opening the store, and writers that get in each other's way."""

from __future__ import annotations

import multiprocessing
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kibitz_worker.errors import StoreError
from kibitz_worker.settings import Settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.engine import file_system_of
from kibitz_worker.store.models import Meta
from sqlalchemy import select, text
from sqlalchemy.orm import Session


def test_sqlite_writes_its_journal_ahead_and_minds_foreign_keys(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, store.read() as session:
        assert session.scalar(text("PRAGMA journal_mode")) == "wal"
        assert session.scalar(text("PRAGMA foreign_keys")) == 1


def test_readers_do_not_wait_for_a_writer_and_see_one_state(store: Store) -> None:
    with store.write() as writing:
        writing.add(Meta(key="a", value="1"))
        writing.flush()
        with store.read() as reading:
            assert reading.get(Meta, "a") is None
    with store.read() as reading:
        assert reading.get_one(Meta, "a").value == "1"
        with store.write() as writing:
            writing.get_one(Meta, "a").value = "2"
        assert reading.scalar(select(Meta.value)) == "1"


def write_and_fail(session: Session) -> None:
    session.add(Meta(key="a", value="1"))
    session.flush()
    raise StoreError("stop", reason="TEST")


def test_a_block_that_raises_leaves_nothing_behind(store: Store) -> None:
    with pytest.raises(StoreError, match="stop"), store.write() as session:
        write_and_fail(session)
    with store.read() as session:
        assert session.get(Meta, "a") is None


def count_up(database: str, times: int) -> None:
    with open_store(database, migrate=False) as store:
        for _ in range(times):
            with store.write() as session:
                row = session.get_one(Meta, "count", with_for_update=True)
                row.value = str(int(row.value) + 1)


def test_processes_that_read_and_then_write_lose_no_update(
    store: Store, settings: Settings
) -> None:
    with store.write() as session:
        session.add(Meta(key="count", value="0"))
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=count_up, args=(settings.database, 25)) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    with store.read() as session:
        assert session.get_one(Meta, "count").value == "75"


def test_the_place_of_one_process_is_free_again_after_a_kill(
    store: Store, settings: Settings
) -> None:
    code = (
        "import sys, time\n"
        "from kibitz_worker.store import open_store\n"
        "with open_store(sys.argv[1], migrate=False) as store, store.sole('place') as mine:\n"
        "    print(mine is not None, flush=True)\n"
        "    time.sleep(60)\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, settings.database], stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    with holder:
        assert holder.stdout.readline() == b"True\n"
        with store.sole("place") as place:
            assert place is None
        holder.kill()
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with store.sole("place") as place:
            if place is not None:
                assert place.held()
                return
    raise AssertionError("the place stayed taken")


def reason_of(target: str | Path) -> str:
    with pytest.raises(StoreError) as caught, open_store(target):
        pass
    return caught.value.reason


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(StoreError, match=str(blocked)) as caught, open_store(blocked / "data"):
        pass
    assert caught.value.reason == "DATA_DIR_NOT_WRITABLE"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can drop to another user")
def test_a_read_only_folder_gives_one_clear_message(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    open_store(folder).close()
    tmp_path.chmod(0o755)
    folder.chmod(0o555)
    code = (
        "import os, sys\nos.setuid(65534)\n"
        "from kibitz_worker.errors import StoreError\n"
        "from kibitz_worker.store import open_store\n"
        "try:\n    open_store(sys.argv[1])\nexcept StoreError as error:\n    print(error.reason)\n"
    )
    for parent in [tmp_path, *tmp_path.parents]:
        if not parent.stat().st_mode & stat.S_IXOTH:
            pytest.skip(f"{parent} is closed to other users")
    done = subprocess.run(
        [sys.executable, "-c", code, folder], capture_output=True, text=True, check=False
    )
    assert done.stdout == "DATA_DIR_NOT_WRITABLE\n", done.stderr


def fill_up(store: Store) -> None:
    with store.write() as session:
        pages = session.scalar(text("PRAGMA page_count"))
        session.execute(text(f"PRAGMA max_page_count = {pages}"))
        session.add(Meta(key="large", value="x" * 1_000_000))


def test_a_full_disk_is_told_from_other_trouble(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, pytest.raises(StoreError) as caught:
        fill_up(store)
    assert caught.value.reason == "DISK_FULL"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("mysql://host/name", "DATABASE_URL_INVALID"),
        ("sqlite://", "DATABASE_URL_INVALID"),
        ("://", "DATABASE_URL_INVALID"),
        ("postgresql://127.0.0.1:1/none", "DATABASE_UNREACHABLE"),
    ],
)
def test_urls_that_cannot_work_have_reasons(target: str, reason: str) -> None:
    assert reason_of(target) == reason


def test_a_file_that_is_no_database_is_not_touched(tmp_path: Path) -> None:
    file = tmp_path / "kibitz.db"
    file.write_text("a letter to my aunt, who collects databases" * 50)
    before = file.read_bytes()
    assert reason_of(tmp_path) == "DATABASE_DAMAGED"
    assert file.read_bytes() == before


def test_the_password_of_a_database_is_not_shown() -> None:
    with pytest.raises(StoreError) as caught, open_store("postgresql://u:hush@127.0.0.1:1/none"):
        pass
    assert "hush" not in str(caught.value)


def test_file_systems_are_recognised() -> None:
    assert file_system_of(Path("/proc/self")) == "proc"
