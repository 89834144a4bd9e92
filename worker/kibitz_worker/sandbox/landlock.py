"""The rules for Landlock, Linux's file and network restrictions for unprivileged processes.

Rights and versions: Linux, Documentation/userspace-api/landlock.rst. Version 4 brought TCP, 6
signals and abstract sockets.
"""

import ctypes
import os

CREATE_RULESET = 444
ASK_VERSION = 1
NEEDED_VERSION = 6

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
ALL_FILES = (1 << 16) - 1
"""All file rights of version 5 and later, up to IOCTL_DEV."""
ALL_TCP = 0b11
ALL_SCOPES = 0b11

DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
SOURCES = ("/dev/urandom", "/dev/random")


def version() -> int:
    """The kernel's Landlock version, 0 if it has none."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(CREATE_RULESET, None, 0, ASK_VERSION)))


def handled_rights() -> list[int]:
    """`struct landlock_ruleset_attr`: file rights, TCP rights and scopes that are taken away."""
    return [ALL_FILES, ALL_TCP, ALL_SCOPES]


def path_rules(trees: list[str], listed: list[str]) -> list[tuple[str, int]]:
    """Read and execute below the trees, list names, the harmless devices, and nothing else."""
    rules = [(path, READ_DIR) for path in listed]
    for path in trees:
        if os.path.isdir(path):
            rules.append((path, EXECUTE | READ_FILE | READ_DIR))
        elif os.path.exists(path):
            rules.append((path, EXECUTE | READ_FILE))
    rules += [(path, READ_FILE | WRITE_FILE) for path in DEVICES]
    return rules + [(path, READ_FILE) for path in SOURCES]
