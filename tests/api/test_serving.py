"""``python -m kibitz_api`` as a process: it starts, says why it cannot, and stops cleanly."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx


def environment(data: Path, port: int) -> dict[str, str]:
    return os.environ | {"KIBITZ_DATA_DIR": str(data), "KIBITZ_HTTP_PORT": str(port)}


@contextmanager
def serving(data: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A serving process and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz_api"],
        env=environment(data, port),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line.startswith("Kibitz dashboard on http://"), line or process.stderr
        yield process, line.split()[-1]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        if process.stderr is not None:
            process.stderr.close()


def test_it_serves_and_ends_at_once_with_an_open_stream(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, url), httpx.Client(timeout=10) as client:
        assert client.get(f"{url}/healthz").json() == {"status": "ok"}
        with client.stream("GET", f"{url}/api/v1/live") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: hello"
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.wait(10)
            assert time.monotonic() - began < 4
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def test_a_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "kibitz_api"],
            env=environment(tmp_path, port),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
    assert "KIBITZ_HTTP_PORT" in done.stderr


def test_a_bad_setting_is_one_clear_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kibitz_api"],
        env=environment(tmp_path, 70_000),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "KIBITZ_HTTP_PORT" in done.stderr


def test_tokens_in_addresses_are_not_logged(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, url):
        httpx.get(f"{url}/login?token=kbz_secret")
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=10)
        assert "kbz_secret" not in out + errors
