"""A port that is taken is said, and a free one near it is found."""

import socket
from collections.abc import Iterator

import pytest
from kibitz_api.server import ports
from kibitz_api.server.errors import PortInUseError

HOST = "127.0.0.1"


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        listener.listen(1)
        yield int(listener.getsockname()[1])


def test_a_taken_port_that_was_asked_for_is_an_error_with_a_hint(taken: int) -> None:
    with pytest.raises(PortInUseError, match=rf"Port {taken} on 127.0.0.1 is in use.*--port \d+"):
        ports.choose(HOST, taken, fixed=True)


def test_a_port_that_was_not_asked_for_may_be_another_near_it(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "DEFAULT", taken)
    found = ports.choose(HOST, None, fixed=False)
    assert taken < found <= taken + ports.LOOK_AHEAD
    assert ports.is_free(HOST, found)


def test_a_host_that_is_not_ours_is_no_matter_of_ports() -> None:
    with pytest.raises(OSError, match=r"[Cc]annot assign"):
        ports.is_free("192.0.2.1", 8000)
