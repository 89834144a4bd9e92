"""Letting a bot connect to the referee's socket and to no other.

Landlock has no say in connections to sockets that have a path, and a bot of an ordinary user is the
same user as everything else of the installation. So the filter makes each `connect` wait for us
(Linux, Documentation/userspace-api/seccomp_filter.rst, "Userspace Notification"): we read the
address, connect a socket of our own to the referee, and put that in the place of the bot's. What
the bot writes over the address meanwhile does not matter: we always connect to the referee.
"""

import contextlib
import errno
import os
import select
import socket
import struct
import threading
from fcntl import ioctl
from pathlib import Path

RECEIVE, SEND, ADD_FILE = 0xC0502100, 0xC0182101, 0x40182103
REPLACE = 1
"""SECCOMP_ADDFD_FLAG_SETFD: take the number of the bot's own socket."""

QUESTION = struct.Struct("=QIIiIQ6Q")
"""`struct seccomp_notif`: id, thread, flags, call, architecture, code address, six arguments."""

ANSWER = struct.Struct("=Qqi4x")
FILE = struct.Struct("=QIIII")
ADDRESS_BYTES = 110
SECONDS = 5.0


class Doorkeeper:
    """A thread that answers one bot's wishes to connect, until the bot has ended."""

    def __init__(self, allowed: Path) -> None:
        self._allowed = os.fsencode(allowed)
        self._ours, self.theirs = socket.socketpair()
        self._thread = threading.Thread(target=self._keep, name="bot-door", daemon=True)

    def start(self) -> None:
        """Begin when the bot's process has been started and `theirs` has been closed here."""
        self._thread.start()

    def close(self) -> None:
        """Close both ends, if no process came of it."""
        self._ours.close()
        self.theirs.close()

    def _keep(self) -> None:
        with self._ours:
            _, files, _, _ = socket.recv_fds(self._ours, 1, 1)
        if not files:
            return
        listener = files[0]
        try:
            self._answer_all(listener)
        finally:
            os.close(listener)

    def _answer_all(self, listener: int) -> None:
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        while all(event & select.POLLIN for _, event in poll.poll()):
            question = bytearray(QUESTION.size)
            try:
                ioctl(listener, RECEIVE, question)
            except OSError as error:
                if error.errno in {errno.ENOENT, errno.EINTR}:
                    continue
                return
            key, thread, *_, file, address, length = QUESTION.unpack(question)[:9]
            file &= 0xFFFFFFFF
            code = self._connect(listener, key, thread, (file, address, length))
            with contextlib.suppress(OSError):
                ioctl(listener, SEND, ANSWER.pack(key, 0, -code))

    def _connect(self, listener: int, key: int, thread: int, wish: tuple[int, int, int]) -> int:
        """Connect in the bot's place; returns an errno, 0 for success."""
        file, address, length = wish
        try:
            if _path(thread, address, min(length, ADDRESS_BYTES)) != self._allowed:
                return errno.EACCES
            with socket.socket(socket.AF_UNIX) as ours:
                ours.settimeout(SECONDS)
                ours.connect(self._allowed)
                ours.setblocking(not _flags(thread, file) & os.O_NONBLOCK)
                ioctl(
                    listener, ADD_FILE, FILE.pack(key, REPLACE, ours.fileno(), file, os.O_CLOEXEC)
                )
        except TimeoutError:
            return errno.ETIMEDOUT
        except OSError as error:
            return error.errno or errno.EACCES
        return 0


def _path(thread: int, address: int, length: int) -> bytes:
    """The path in a `struct sockaddr_un` in a thread's memory; empty for anything else."""
    with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        data = memory.read(length)
    if len(data) < 3 or int.from_bytes(data[:2], "little") != socket.AF_UNIX:
        return b""
    return data[2:].split(b"\0", 1)[0]


def _flags(thread: int, file: int) -> int:
    """The status flags of a thread's open file."""
    for line in Path(f"/proc/{thread}/fdinfo/{file}").read_text().splitlines():
        if line.startswith("flags:"):
            return int(line.split()[1], 8)
    return 0
