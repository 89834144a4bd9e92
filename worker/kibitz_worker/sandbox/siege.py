"""Letting the hostile bot loose in a layer, with something to attack all round it."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from kibitz_worker.sandbox import attack
from kibitz_worker.sandbox.commands import HELPER, PYTHON
from kibitz_worker.sandbox.environment import clean_environment
from kibitz_worker.sandbox.errors import SandboxError
from kibitz_worker.sandbox.launch import launch
from kibitz_worker.sandbox.layer import Layer
from kibitz_worker.sandbox.limits import MEBIBYTE, Limits
from kibitz_worker.sandbox.process import Process
from kibitz_worker.sandbox.syscalls import MACHINES
from kibitz_worker.sandbox.trees import visible_trees

LIMITS = Limits(memory=512 * MEBIBYTE, temporary=4 * MEBIBYTE, tasks=32, cpu_seconds=30)
SECONDS = 20.0
CALLS = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_open", "pidfd_getfd"),
    *("mount", "umount2", "setns", "fsopen", "open_tree", "open_by_handle_at"),
    *("bpf", "perf_event_open", "userfaultfd", "fanotify_init", "clone3"),
    *("keyctl", "add_key", "request_key", "io_uring_setup", "memfd_create", "shmget"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What each attack achieved (empty: blocked), or why there is no report."""

    report: dict[str, str]
    failure: str = ""

    @property
    def holes(self) -> list[str]:
        """The attacks that worked, in words."""
        return [f"{name}: {what}" for name, what in self.report.items() if what]

    @property
    def held(self) -> bool:
        """Was there a report, and nothing but blocked attacks in it?"""
        return not self.failure and bool(self.report) and not self.holes


class Field:
    """What there is to attack: another bot's folder, a victim process, listeners."""

    def __init__(self, stack: ExitStack) -> None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kibitz-probe-")))
        folder.chmod(0o755)
        self.folder = folder
        self.marker = secrets.token_hex(8)
        self.bot = self._bot("bot")
        self.other = self._bot("other")
        (folder / "private").mkdir(mode=0o700)
        self.abstract = f"kibitz-probe-{secrets.token_hex(8)}"
        self.referee = _listen(stack, socket.AF_UNIX, str(folder / "referee.sock"))
        self.untouchable = {
            "connect_path": _listen(stack, socket.AF_UNIX, str(folder / "private" / "x.sock")),
            "connect_abstract": _listen(stack, socket.AF_UNIX, "\0" + self.abstract),
            "connect_tcp": _listen(stack, socket.AF_INET, ("127.0.0.1", 0)),
        }
        self.victim = subprocess.Popen(
            [PYTHON, "-I", "-S", "-c", "import time; time.sleep(60)"],
            env={"KIBITZ_SECRET": self.marker},
            stdin=subprocess.DEVNULL,
        )
        stack.callback(self._bury)

    def _bot(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(mode=0o755)
        shutil.copyfile(attack.__file__, folder / "attack.py")
        (folder / "attack.py").chmod(0o644)
        return folder

    def _bury(self) -> None:
        self.victim.kill()
        self.victim.wait()

    def targets(self) -> attack.Targets:
        """Everything that the hostile bot has to know."""
        trees = [*visible_trees(self.bot), HELPER]
        hidden = [str(self.other / "attack.py"), "/etc/shadow"]
        for folder in {Path.home(), Path.cwd()}:
            hidden += [str(p) for p in _entries(folder) if not _related(p, trees)]
        return {
            "secrets": hidden,
            "folders": [str(self.bot), str(self.other), sys.prefix, *_PUBLIC, str(Path.home())],
            "marker": self.marker[::-1],
            "variables": [*clean_environment(Layer("strict", ""), Path(), {}), "PWD", "LC_CTYPE"],
            "victim": self.victim.pid,
            "port": self.untouchable["connect_tcp"].getsockname()[1],
            "abstract": self.abstract,
            "path": str(self.folder / "private" / "x.sock"),
            "calls": {n: c for n, c in MACHINES[os.uname().machine].calls.items() if n in CALLS},
            "memory": LIMITS.memory,
            "temporary": LIMITS.temporary,
        }

    def traces(self) -> dict[str, str]:
        """What can be seen from outside: attacks that left a trace, whatever the bot says."""
        found = {}
        if self.victim.poll() is not None:
            found["kill_victim"] = "another process is dead"
        for name, listener in self.untouchable.items():
            with contextlib.suppress(TimeoutError):
                listener.accept()[0].close()
                found[name] = "a connection arrived"
        return found


_PUBLIC = ("/", "/etc", "/usr", "/usr/local", "/var/tmp", "/run", "/dev/shm")  # noqa: S108


def _entries(folder: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return sorted(folder.iterdir())[:50]
    return []


def _related(path: Path, trees: list[str]) -> bool:
    """Is the path inside a visible tree, or a tree inside it?"""
    mine = str(path)
    return any(mine == t or t.startswith(mine + "/") or mine.startswith(t + "/") for t in trees)


def _listen(stack: ExitStack, family: int, address: str | tuple[str, int]) -> socket.socket:
    listener = stack.enter_context(socket.socket(family))
    listener.bind(address)
    listener.listen()
    listener.settimeout(0.01)
    return listener


def _receive(listener: socket.socket, process: Process) -> str:
    """What the bot sends to the referee before it ends; empty if nothing comes in time."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(5.0)
                return connection.makefile("r", encoding="utf-8").read()
        if process.poll() is not None:
            break
    return ""


def besiege(layer: Layer) -> Outcome:
    """Run the hostile bot in the layer and report what it achieved."""
    with ExitStack() as stack:
        field = Field(stack)
        command = [PYTHON, "-I", "-S", str(field.bot / "attack.py"), json.dumps(field.targets())]
        output = field.folder / "output"
        try:
            process = stack.enter_context(
                launch(
                    command,
                    layer=layer,
                    bot_dir=field.bot,
                    referee_socket=field.folder / "referee.sock",
                    env={},
                    limits=LIMITS,
                    stderr_path=output,
                    bare=layer.name == "none",
                )
            )
        except SandboxError as error:
            return Outcome({}, str(error))
        text = _receive(field.referee, process)
        process.kill()
        if not text:
            said = output.read_text(errors="replace").strip()[-400:]
            return Outcome({}, said or f"no word from inside, exit status {process.returncode}")
        return Outcome({**json.loads(text), **field.traces()})
