"""The system call filter, run by a small interpreter of its instructions."""

import errno
import struct

import pytest
from kibitz_worker.sandbox.seccomp import ALLOW, ARGUED, ASK, ERRNO, KILL, program
from kibitz_worker.sandbox.syscalls import MACHINES

DENIED, UNKNOWN = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
THREAD = 0x003D0F00
"""The flags with which glibc makes a thread."""


def verdict(
    machine: str,
    number: int,
    *arguments: int,
    audit: int | None = None,
    asking: bool = False,
    sealed: bool = False,
) -> int:
    """What the kernel would do with this call."""
    audit = MACHINES[machine].audit if audit is None else audit
    words = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<IIQ6Q", number, audit, 0, *words)
    steps = list(struct.iter_unpack("HBBI", program(machine, asking=asking, sealed=sealed)))
    accumulator, at = 0, 0
    while True:
        code, true, false, constant = steps[at]
        at += 1
        match code:
            case 0x20:
                accumulator = struct.unpack_from("<I", data, constant)[0]
            case 0x54:
                accumulator &= constant
            case 0x15:
                at += true if accumulator == constant else false
            case 0x35:
                at += true if accumulator >= constant else false
            case 0x45:
                at += true if accumulator & constant else false
            case 0x06:
                return int(constant)
            case _:
                raise AssertionError(f"instruction {code:#x}")


@pytest.mark.parametrize("machine", sorted(MACHINES))
class TestFilter:
    def test_unix_sockets_only(self, machine: str) -> None:
        for name in ("socket", "socketpair"):
            number = MACHINES[machine].calls[name]
            assert verdict(machine, number, 1, 1) == ALLOW
            assert verdict(machine, number, 1, 1 | 0o2004000) == ALLOW  # close on exec, no waiting
            for kind in (0, 2, 3, 5):
                assert verdict(machine, number, 1, kind) == DENIED
            for family in (0, 2, 10, 16, 17, 40):
                assert verdict(machine, number, family, 1) == DENIED

    def test_connections_are_asked_about_where_somebody_answers(self, machine: str) -> None:
        number = MACHINES[machine].calls["connect"]
        assert verdict(machine, number) == ALLOW
        assert verdict(machine, number, asking=True) == ASK

    def test_threads_only(self, machine: str) -> None:
        clone = MACHINES[machine].calls["clone"]
        assert verdict(machine, clone, THREAD) == ALLOW
        assert verdict(machine, clone, 17) == DENIED
        assert verdict(machine, clone, THREAD | 0x10000000) == DENIED
        assert verdict(machine, MACHINES[machine].calls["clone3"]) == UNKNOWN

    def test_the_rest_of_the_table_is_refused(self, machine: str) -> None:
        for name, number in MACHINES[machine].calls.items():
            if name not in ARGUED:
                assert verdict(machine, number) == DENIED, name

    def test_terminals_and_mortality_stay(self, machine: str) -> None:
        calls = MACHINES[machine].calls
        assert verdict(machine, calls["ioctl"], 0, 0x5412) == DENIED
        assert verdict(machine, calls["ioctl"], 0, 0x541C) == DENIED
        assert verdict(machine, calls["ioctl"], 0, 0x5401) == ALLOW
        assert verdict(machine, calls["prctl"], 1) == DENIED
        assert verdict(machine, calls["prctl"], 15) == ALLOW

    def test_files_cannot_be_changed_unopened_where_landlock_is_blind(self, machine: str) -> None:
        for number in MACHINES[machine].metadata.values():
            assert verdict(machine, number) == ALLOW
            assert verdict(machine, number, sealed=True) == DENIED

    def test_limits_of_others_stay(self, machine: str) -> None:
        number = MACHINES[machine].calls["prlimit64"]
        assert verdict(machine, number, 0) == ALLOW
        assert verdict(machine, number, 1) == DENIED

    def test_calls_newer_than_the_table_do_not_exist(self, machine: str) -> None:
        assert verdict(machine, 467) == UNKNOWN
        assert verdict(machine, 0x40000000 + 39) == UNKNOWN

    def test_another_architecture_is_killed(self, machine: str) -> None:
        assert verdict(machine, 1, audit=0x40000003) == KILL


def test_ordinary_calls_pass() -> None:
    for number in (0, 1, 3, 9, 20, 42, 59, 202, 228):  # read write close mmap ... connect execve
        assert verdict("x86_64", number) == ALLOW
    assert verdict("x86_64", MACHINES["x86_64"].calls["fork"]) == DENIED
    assert verdict("x86_64", MACHINES["x86_64"].calls["vfork"]) == DENIED
