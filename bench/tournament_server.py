"""A whole server in processes of its own, with submitted bots, for benchmarks."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, Self

from kibitz.cli.archive import pack
from kibitz.cli.failures import CommandError
from kibitz.cli.server import Server

START_S = 60.0
STOP_S = 30.0
ADMISSION_S = 300.0

MANIFEST = """[bot]
name = "first{number}"
entry = "bot:play"
games = ["german_whist"]
description = "Plays the first legal card"
"""
BOT = '''"""Trivial bot number {number}: what a tournament costs beside thinking."""


def play(view):
    return view.legal[0]
'''
COUNTER = re.compile(r"^kibitz_(\w+?)_total (\S+)$", re.MULTILINE)


class WholeServer:
    """A server on a data folder, all its parts or the one named; ended with its block."""

    def __init__(self, data: Path, *words: str, **settings: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self._data = data
        options = ["--data", str(data), "--port", str(port)]
        said = (data / "said").open("ab")
        with said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "kibitz_api.server", *words, *options],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                env={**os.environ, **settings},
            )

    def __enter__(self) -> Self:
        end = time.monotonic() + START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > end:
                self.__exit__()
                raise RuntimeError(f"no server:\n{(self._data / 'said').read_text()}")
            time.sleep(0.1)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.url}/healthz", timeout=5).close()
        except OSError:
            return False
        return True

    def api(self) -> Server:
        """Return a client with the token of the installation's own user."""
        return Server(self.url, token=(self._data / "token").read_text().strip())

    def counters(self) -> dict[str, float]:
        """Return what the workers have counted so far."""
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=30) as answer:
            text = answer.read().decode()
        return {name: float(value) for name, value in COUNTER.findall(text)}


def submit_bots(server: Server, count: int) -> list[str]:
    """Hand trivial bots in and wait until all are admitted; return their labels."""
    versions = [_submit(server, number) for number in range(1, count + 1)]
    end = time.monotonic() + ADMISSION_S
    labels = []
    for version in versions:
        told: dict[str, Any] = {"state": "pending"}
        while told["state"] == "pending" and time.monotonic() < end:
            time.sleep(0.2)
            told = server.get(f"versions/{version}")
        if told["state"] != "admitted":
            raise RuntimeError(f"a bot was not admitted: {told.get('reason') or told['state']}")
        labels.append(str(told["label"]))
    return labels


def _submit(server: Server, number: int) -> int:
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        bot = Path(folder)
        (bot / "kibitz.toml").write_text(MANIFEST.format(number=number))
        (bot / "bot.py").write_text(BOT.format(number=number))
        content, _ = pack(bot)
    for _ in range(60):
        try:
            answer = server.upload("submissions", f"first{number}.zip", content)
            return int(answer["version_id"])
        except CommandError as error:  # so many uploads a minute are taken
            if error.reason != "RATE_LIMITED":
                raise
            time.sleep(2)
    raise RuntimeError("the server takes no more bots")
