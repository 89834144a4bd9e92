"""A port that is taken is said, and a free one near it is found."""

import socket
from collections.abc import Iterator

import pytest
from kibitz_api.server import ports
from kibitz_api.server.errors import PortInUseError, ServerError
from kibitz_worker.errors import SettingsError
from kibitz_worker.settings import Settings, load_settings

HOST = "127.0.0.1"


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        listener.listen(1)
        yield int(listener.getsockname()[1])


def defaults(**values: object) -> Settings:
    """Settings whose values count as defaults, not as named by the operator."""
    return Settings.model_construct(_fields_set=set(), **{"referee_listen": "", **values})


def test_a_taken_port_that_was_named_is_an_error_with_a_free_one(taken: int) -> None:
    settings = load_settings(http_port=taken, referee_listen="")
    with pytest.raises(PortInUseError, match=rf"Port {taken} on 127.0.0.1 is in use.*--port (\d+)"):
        ports.settle(settings, move=True)


def test_the_default_port_moves_only_where_that_was_allowed(taken: int) -> None:
    settings = defaults(http_port=taken, http_host=HOST)
    moved = ports.settle(settings, move=True)
    assert taken < moved.http_port <= taken + ports.LOOK_AHEAD
    assert ports.is_free(HOST, moved.http_port)
    with pytest.raises(PortInUseError):
        ports.settle(settings, move=False)


def test_the_referee_moves_away_from_its_default_but_not_from_a_named_address(taken: int) -> None:
    free = ports.next_free(HOST, taken + 1)
    assert free is not None
    address = f"{HOST}:{taken}"
    moved = ports.settle(
        defaults(http_port=free, http_host=HOST, referee_listen=address), move=False
    )
    assert moved.referee_listen not in {address, f"{HOST}:{free}"}
    with pytest.raises(PortInUseError, match="--listen"):
        ports.settle(load_settings(http_port=free, referee_listen=address), move=True)


def test_ports_of_figures_that_are_taken_are_said_before_anything_starts(taken: int) -> None:
    for first in (taken, taken - 1):
        settings = load_settings(http_port=0, metrics_listen=f"{HOST}:{first}")
        with pytest.raises(PortInUseError, match=f"Port {taken} .*KIBITZ_METRICS_LISTEN"):
            ports.settle(settings, move=True)


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("redis_url", "http://x", "must begin with redis://"),
        ("redis_url", "redis://x:port", "Port could not be cast"),
        ("message_days", "1e300", "less than or equal to 36500"),
        ("max_attempts", str(10**30), "less than or equal to 1000"),
    ],
)
def test_settings_that_cannot_be_are_named(setting: str, value: str, words: str) -> None:
    with pytest.raises(SettingsError, match=f"KIBITZ_{setting.upper()}: .*{words}"):
        load_settings(**{setting: value})


def test_addresses_that_are_none_are_said() -> None:
    with pytest.raises(ServerError, match=r"Cannot listen on 192\.0\.2\.1"):
        ports.is_free("192.0.2.1", 8000)
    with pytest.raises(ServerError, match="port 99999"):
        ports.is_free(HOST, 99999)
    with pytest.raises(ServerError, match="Cannot listen on"):
        ports.is_free("ü..", 8000)
    with pytest.raises(ServerError, match="must be HOST:PORT"):
        ports.settle(defaults(http_port=0, http_host=HOST, referee_listen="here"), move=True)
