"""A hostile bot: tries everything that the sandbox must prevent and reports what worked.

Runs inside as a script with nothing but the standard library (`python -I -S attack.py TARGETS`),
where TARGETS is a JSON object with the keys of `Targets`. The report, a JSON object from the name
of an attack to what it achieved (empty: blocked), goes to the referee's socket, which must be
reachable.
"""

# ruff: noqa: ARG001, S108 (all attacks are called alike; /tmp is what is attacked)

import contextlib
import ctypes
import errno
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict

MEBIBYTE = 1 << 20
PR_SET_PDEATHSIG, PR_GET_NO_NEW_PRIVS, TIOCSTI = 1, 39, 0x5412
REFUSED = {errno.EPERM, errno.ENOSYS}
FAMILIES = ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK")


class Targets(TypedDict):
    """What to attack.

    `secrets` are paths to read, `folders` to write into, `variables` the only ones allowed;
    `marker` is in the victim's environment (here spelt backwards, so that it is not in ours);
    `calls` are system calls that must be refused, with their numbers.
    """

    secrets: list[str]
    folders: list[str]
    marker: str
    variables: list[str]
    victim: int
    port: int
    abstract: str
    path: str
    calls: dict[str, int]
    memory: int
    temporary: int


def read_secrets(targets: Targets) -> str:
    """Open a file that belongs to another bot or to the system."""
    for path in targets["secrets"]:
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_RDONLY))
            return f"opened {path}"
    return ""


def read_processes(targets: Targets) -> str:
    """Read the environment or command line of another process."""
    marker = targets["marker"][::-1].encode()
    names = [str(targets["victim"]), str(os.getppid())]
    with contextlib.suppress(OSError):
        names += os.listdir("/proc")
    for name in names:
        for file in ("environ", "cmdline"):
            with contextlib.suppress(OSError):
                if name != "self" and marker in Path("/proc", name, file).read_bytes():
                    return f"read {file} of process {name}"
    return ""


def read_environment(targets: Targets) -> str:
    """Find environment variables that a bot should not have."""
    extra = set(os.environ) - set(targets["variables"])
    return f"has the variables {sorted(extra)}" if extra else ""


def write_elsewhere(targets: Targets) -> str:
    """Write into a folder that is not the bot's own."""
    for folder in targets["folders"]:
        file = Path(folder, "kibitz-attack")
        with contextlib.suppress(OSError):
            file.touch()
            file.unlink()
            return f"wrote into {folder}"
    return ""


def change_metadata(targets: Targets) -> str:
    """Change owner, mode, times or attributes of another bot's file."""
    path = targets["secrets"][0]
    attempts: tuple[Callable[[], object], ...] = (
        lambda: os.chmod(path, 0o644),
        lambda: os.chown(path, -1, -1),
        lambda: os.utime(path),
        lambda: os.setxattr(path, "user.kibitz", b"x"),
        lambda: os.chmod(Path(path).parent, 0o700),
    )
    for number, attempt in enumerate(attempts):
        with contextlib.suppress(OSError):
            attempt()
            return f"changed a file of another bot ({number})"
    return ""


def write_huge_file(targets: Targets) -> str:
    """Write a file far beyond the limit."""
    try:
        with Path("/tmp/huge").open("wb") as file:
            for _ in range(200):
                file.write(bytes(MEBIBYTE))
    finally:
        with contextlib.suppress(OSError):
            os.unlink("/tmp/huge")
    return "wrote 200 MiB"


def write_many_files(targets: Targets) -> str:
    """Fill the temporary folder with small files."""
    written: list[Path] = []
    try:
        for n in range(2 * targets["temporary"] // MEBIBYTE):
            written.append(Path(f"/tmp/many{n}"))
            written[-1].write_bytes(bytes(MEBIBYTE))
    finally:
        for file in written:
            file.unlink(missing_ok=True)
    return f"wrote {len(written)} MiB in small files"


def connect_tcp(targets: Targets) -> str:
    """Connect to a port of this machine."""
    socket.create_connection(("127.0.0.1", targets["port"]), 2).close()
    return "connected to a port of this machine"


def open_other_sockets(targets: Targets) -> str:
    """Make a socket of a family that reaches other machines."""
    for name in FAMILIES:
        with contextlib.suppress(OSError):
            socket.socket(getattr(socket, name), socket.SOCK_DGRAM).close()
            return f"made a socket of {name}"
    return ""


def connect_abstract(targets: Targets) -> str:
    """Connect to a socket in the abstract name space."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("\0" + targets["abstract"])
    return "connected to an abstract socket"


def connect_path(targets: Targets) -> str:
    """Connect to a socket that is not the referee's."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(targets["path"])
    return "connected to another program's socket"


def kill_victim(targets: Targets) -> str:
    """Send a signal to a process of somebody else."""
    os.kill(targets["victim"], signal.SIGKILL)
    return "sent a signal to another process"


def disturb_victim(targets: Targets) -> str:
    """Change limits, priority or scheduling of another process."""
    victim = targets["victim"]
    attempts: tuple[Callable[[], object], ...] = (
        lambda: resource.prlimit(victim, resource.RLIMIT_NOFILE, (64, 64)),
        lambda: os.setpriority(os.PRIO_PROCESS, victim, 19),
        lambda: os.sched_setaffinity(victim, {0}),
        lambda: os.sched_setscheduler(victim, os.SCHED_BATCH, os.sched_param(0)),
    )
    for number, attempt in enumerate(attempts):
        with contextlib.suppress(OSError):
            attempt()
            return f"changed how another process runs ({number})"
    return ""


def system_calls(targets: Targets) -> str:
    """Make system calls that must be refused."""
    libc = ctypes.CDLL(None, use_errno=True)
    allowed = []
    for name, number in targets["calls"].items():
        ctypes.set_errno(0)
        if libc.syscall(number, 0, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() not in REFUSED:
            allowed.append(name)
    return f"the kernel answered to {allowed}" if allowed else ""


def fork(targets: Targets) -> str:
    """Make another process."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "forked"


def run_program(targets: Targets) -> str:
    """Start another program."""
    subprocess.run([sys.executable, "-c", ""], check=True)
    return "started another program"


def unshare(targets: Targets) -> str:
    """Make a namespace of one's own."""
    libc = ctypes.CDLL(None, use_errno=True)
    for flag in (0x10000000, 0x00020000, 0x40000000, 0x20000000):
        if libc.unshare(flag) == 0:
            return f"made a namespace ({flag:#x})"
    return ""


def become_root(targets: Targets) -> str:
    """Become root, or be it already."""
    if os.geteuid() == 0:
        return "is root"
    for become in (os.setuid, os.setgid):
        with contextlib.suppress(OSError):
            become(0)
            return f"{become.__name__}(0) worked"
    return ""


def lift_limits(targets: Targets) -> str:
    """Take limits away."""
    for name in ("RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NPROC", "RLIMIT_CORE"):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, name), (resource.RLIM_INFINITY,) * 2)
            return f"lifted {name}"
    return ""


def outlive_parent(targets: Targets) -> str:
    """Ask not to die with the worker."""
    libc = ctypes.CDLL(None, use_errno=True)
    return "" if libc.prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) < 0 else "will outlive the worker"


def gain_privileges(targets: Targets) -> str:
    """Find out whether set-uid programs would give privileges."""
    libc = ctypes.CDLL(None, use_errno=True)
    return "" if libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 else "set-uid programs work"


def type_into_terminal(targets: Targets) -> str:
    """Push characters into the terminal of the worker."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ioctl(0, TIOCSTI, b"x")
    return "" if ctypes.get_errno() == errno.EPERM else "may push characters into a terminal"


def eat_memory(targets: Targets) -> str:
    """Take more memory than the limit allows."""
    eaten = [bytearray(16 * MEBIBYTE) for _ in range(3 * targets["memory"] // (32 * MEBIBYTE))]
    return f"took {len(eaten) * 16} MiB"


def start_threads(targets: Targets) -> str:
    """Start thousands of threads."""
    threading.stack_size(64 * 1024)
    release = threading.Event()
    threads = [threading.Thread(target=release.wait, daemon=True) for _ in range(2000)]
    started = 0
    try:
        for thread in threads:
            thread.start()
            started += 1
    except RuntimeError:
        return ""
    finally:
        release.set()
    return f"started {started} threads"


ATTACKS: tuple[Callable[[Targets], str], ...] = (
    read_secrets,
    read_processes,
    read_environment,
    write_elsewhere,
    change_metadata,
    write_huge_file,
    write_many_files,
    connect_tcp,
    open_other_sockets,
    connect_abstract,
    connect_path,
    disturb_victim,
    kill_victim,
    unshare,
    become_root,
    lift_limits,
    outlive_parent,
    gain_privileges,
    type_into_terminal,
    fork,
    run_program,
    system_calls,
    eat_memory,
    start_threads,
)


def attack(targets: Targets) -> dict[str, str]:
    """Try all attacks; the values say what worked, empty texts that nothing did."""
    report = {}
    for attempt in ATTACKS:
        try:
            report[attempt.__name__] = attempt(targets)
        except (OSError, MemoryError, subprocess.SubprocessError):
            report[attempt.__name__] = ""
    return report


def main() -> None:
    """Attack and report to the referee's socket."""
    targets: Any = json.loads(sys.argv[1])
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    report = attack(targets)
    with socket.socket(socket.AF_UNIX) as referee:
        referee.connect(os.environ["KIBITZ_ADDRESS"].removeprefix("unix:"))
        referee.sendall(json.dumps(report).encode())


if __name__ == "__main__":
    main()
