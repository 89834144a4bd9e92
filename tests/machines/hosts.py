"""Hosts of a network of their own: network namespaces, joined by a switch, with real addresses."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

NAMED = Path("/run/netns")
OWN = Path("/proc/thread-self/ns/net")
CLONE_NEWNET = 0x40000000


def missing() -> str | None:
    """Say why there can be no hosts here, or None when there can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    if shutil.which("ip") is None:
        return "there is no `ip` here: install the package iproute2"
    name = f"kibitz-try-{os.getpid()}"
    tried = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True)
    if tried.returncode:
        return f"network namespaces cannot be made: {tried.stderr.decode().strip()}"
    _ip("netns", "del", name)
    return None


class Host:
    """A machine with an address; everything that is started `inside` it sees its network only."""

    def __init__(self, space: str, switch: str, number: int) -> None:
        self.name = f"h{number}"
        self.address = f"10.213.0.{number}"
        self._space, self._switch, self._port = space, switch, f"port{number}"

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Let this thread, and what it starts, be on the host while the block runs."""
        with OWN.open() as before, (NAMED / self._space).open() as there:
            _enter(there.fileno())
            try:
                yield
            finally:
                _enter(before.fileno())

    def cut_off(self) -> None:
        """Lose everything on the way between the host and the others, without a word."""
        _ip("-n", self._switch, "link", "set", self._port, "nomaster")

    def rejoin(self) -> None:
        """Mend the way."""
        _ip("-n", self._switch, "link", "set", self._port, "master", "switch")

    def unplug(self) -> None:
        """Take the link down, as the host itself notices at once."""
        _ip("-n", self._space, "link", "set", "eth0", "down")

    def plug_in(self) -> None:
        """Bring the link up again."""
        _ip("-n", self._space, "link", "set", "eth0", "up")


@contextmanager
def hosts(count: int) -> Iterator[list[Host]]:
    """Make so many hosts at one switch; they are gone after the block."""
    switch = f"kibitz-{os.getpid()}-switch"
    with ExitStack() as stack:
        stack.enter_context(_space(switch))
        _ip("-n", switch, "link", "add", "switch", "type", "bridge")
        _ip("-n", switch, "link", "set", "switch", "up")
        made = []
        for number in range(1, count + 1):
            space = f"kibitz-{os.getpid()}-{number}"
            stack.enter_context(_space(space))
            _join(space, switch, number)
            made.append(Host(space, switch, number))
        yield made


def _join(space: str, switch: str, number: int) -> None:
    port = f"port{number}"
    cable = ["link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space]
    _ip("-n", switch, *cable)
    _ip("-n", switch, "link", "set", port, "master", "switch", "up")
    _ip("-n", space, "addr", "add", f"10.213.0.{number}/24", "dev", "eth0")
    _ip("-n", space, "link", "set", "eth0", "up")
    _ip("-n", space, "link", "set", "lo", "up")


@contextmanager
def _space(name: str) -> Iterator[None]:
    _ip("netns", "add", name)
    try:
        yield
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):
            _ip("netns", "del", name)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _enter(descriptor: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(descriptor, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "a network namespace cannot be entered")
