"""A listening socket in place of the referee, a bot's folder, the layers of this machine."""

import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from kibitz_worker.sandbox import Layer, Process, besiege, launch, probe
from kibitz_worker.sandbox.limits import Limits


@dataclass
class Stage:
    """A place for one bot: `start` runs Python code as its program."""

    folder: Path
    listener: socket.socket
    layer: Layer

    @property
    def bot(self) -> Path:
        return self.folder / "bot"

    @property
    def socket(self) -> Path:
        return self.folder / "referee.sock"

    def start(self, code: str, *, limits: Limits | None = None) -> Process:
        (self.bot / "bot.py").write_text(code)
        return launch(
            ["python", str(self.bot / "bot.py")],
            layer=self.layer,
            bot_dir=self.bot,
            referee_socket=self.socket,
            env={"KIBITZ_TOKEN": "secret-of-this-bot"},
            limits=limits,
            stderr_path=self.folder / "output",
            bare=True,
        )


@cache
def holding(name: str) -> Layer | str:
    """The layer of that name if it holds here, or why it does not."""
    if name == "landlock":
        layer = Layer("landlock", "Landlock")
        outcome = besiege(layer)
        return layer if outcome.held else outcome.failure or str(outcome.holes)
    layer = probe()
    return layer if layer.name == name else layer.reason


@pytest.fixture(params=["strict", "landlock"])
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """A stage in each layer that works on this machine."""
    layer = holding(request.param)
    if isinstance(layer, str):
        pytest.skip(layer)
    with tempfile.TemporaryDirectory() as name, socket.socket(socket.AF_UNIX) as listener:
        folder = Path(name)
        folder.chmod(0o711)  # root's bots run as other users
        (folder / "bot").mkdir()
        listener.bind(str(folder / "referee.sock"))
        listener.listen()
        listener.settimeout(20)
        yield Stage(folder, listener, layer)
