"""A real bot of the SDK in the sandbox, connected to a real referee."""

import asyncio
import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kibitz_worker.errors import RefereeError
from kibitz_worker.play.referee import Referee
from kibitz_worker.sandbox import Process, launch

if TYPE_CHECKING:
    from tests.worker.sandbox.conftest import Stage

TOKEN = "a-token-that-nobody-else-has"
FOLDER_BOT = {
    "kibitz.toml": '[bot]\nname = "first"\nentry = "bot:First"\n',
    "bot.py": (
        "import numpy\nfrom kibitz import Bot\nfrom helper import pick\n\n\n"
        "class First(Bot):\n    def play(self, view):\n        return pick(view.legal)\n"
    ),
    "helper.py": "def pick(legal):\n    return legal[0]\n",
}


@pytest.fixture
def referee(stage: "Stage") -> Iterator[Path]:
    """A referee at the stage's socket; gives its control socket."""
    stage.listener.close()
    stage.socket.unlink()
    control = stage.folder / "control.sock"
    command = [sys.executable, "-m", "kibitz_referee", "--socket", str(stage.socket)]
    process = subprocess.Popen([*command, "--control", str(control)], stdout=subprocess.DEVNULL)
    try:
        yield control
    finally:
        process.terminate()
        process.wait(10)


def start(stage: "Stage", spec: str, folder: Path | None) -> Process:
    return launch(
        [sys.executable, "-m", "kibitz.bots", spec],
        layer=stage.layer,
        bot_dir=folder,
        referee_socket=stage.socket,
        env={"KIBITZ_TOKEN": TOKEN},
        stderr_path=stage.folder / "output",
    )


async def admitted(control: Path) -> Referee:
    """Wait for the referee and let the token in."""
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    deadline = time.monotonic() + 20
    while True:
        referee = Referee(control)
        try:
            await referee.admit({digest: "a bot"})
        except RefereeError:
            await referee.__aexit__(None, None, None)
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)
        else:
            return referee


async def connects(stage: "Stage", control: Path, spec: str, folder: Path | None) -> str:
    """Start the bot and wait until the referee has it; returns what it wrote if it never comes."""
    async with await admitted(control) as referee:
        with start(stage, spec, folder) as bot:
            for _ in range(200):
                if any(each.connected for each in (await referee.presence()).players):
                    return "connected"
                if bot.poll() is not None:
                    break
                await asyncio.sleep(0.1)
    return bot.output.read_text()


def test_a_shipped_bot_connects(stage: "Stage", referee: Path) -> None:
    assert asyncio.run(connects(stage, referee, "careful", None)) == "connected"


def test_a_submitted_folder_connects(stage: "Stage", referee: Path) -> None:
    for name, content in FOLDER_BOT.items():
        (stage.bot / name).write_text(content)
    found = asyncio.run(connects(stage, referee, str(stage.bot), stage.bot))
    assert found == "connected"


def test_a_bot_that_fails_tells_where(stage: "Stage", referee: Path) -> None:
    for name, content in FOLDER_BOT.items():
        (stage.bot / name).write_text(content)
    (stage.bot / "helper.py").write_text("def pick(:\n")
    found = asyncio.run(connects(stage, referee, str(stage.bot), stage.bot))
    assert "helper.py" in found
    assert "SyntaxError" in found
