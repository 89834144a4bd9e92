"""``kibitz connect``: bots of one's own machine at a real referee."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from tests.referee.parties import PATIENT, Referee, set_of, until


@pytest.fixture
def referee() -> Iterator[Referee]:
    with TemporaryDirectory(prefix="kibitz-") as folder:
        referee = Referee(Path(folder), "--grace", "1.5", "--drain", "1")
        yield referee
        referee.stop()


@pytest.fixture
def connect(referee: Referee, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def begin(bot: str, token: str) -> subprocess.Popen[str]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "kibitz", "connect", bot, "--to", referee.address],
                cwd=tmp_path,
                env={**os.environ, "KIBITZ_TOKEN": token},
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def test_bots_connect_and_play_a_set(
    referee: Referee, connect: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    subprocess.run(
        [sys.executable, "-m", "kibitz", "new", "otter"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    referee.admit("one", "two")
    bots = [connect("otter", "one"), connect("careful", "two")]
    until(lambda: referee.connected() == 2)
    played = referee.run(set_of("german_whist", ("one", "two"), ("two", "one"), clock=PATIENT))
    assert played.finished
    assert len(played.matches) == 2
    for match in played.matches:
        assert played.reasons(match) == []
        played.record(match)
    bots[0].send_signal(signal.SIGINT)
    _, said = bots[0].communicate(timeout=20)
    assert bots[0].returncode == 130, said
    assert "otter plays for unix:" in said
    assert "Traceback" not in said


def test_a_program_in_another_language_is_started_in_its_folder(
    referee: Referee, connect: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.mkdir()
    (program / "kibitz.toml").write_text(
        f'[bot]\nname = "program"\ncommand = ["{sys.executable}", "main.py"]\n'
    )
    (program / "main.py").write_text("import kibitz\nkibitz.run(lambda view: view.legal[0])\n")
    referee.admit("one")
    connect("program", "one")
    until(lambda: referee.connected() == 1)
    [player] = referee.presence().players
    assert (player.label, player.bot) == ("one", "<lambda>")


def test_a_token_nobody_knows_is_refused_in_one_line(
    connect: Callable[..., subprocess.Popen[str]],
) -> None:
    process = connect("careful", "stranger")
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("kibitz: ")


def test_a_bot_that_is_not_there_is_not_said_to_play(
    connect: Callable[..., subprocess.Popen[str]],
) -> None:
    process = connect("nobot", "one")
    _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "nobot" in said
    assert "plays for" not in said


def listen(bot: subprocess.Popen[str], lines: list[str]) -> None:
    """Take down what a bot says until it ends."""
    assert bot.stderr is not None
    lines.extend(line.rstrip("\n") for line in bot.stderr)


def test_a_restart_of_the_server_is_told_in_plain_words_each_once(
    connect: Callable[..., subprocess.Popen[str]], referee: Referee
) -> None:
    referee.admit("one")
    bot = connect("careful", "one")
    lines: list[str] = []
    reader = Thread(target=listen, args=(bot, lines))
    reader.start()
    until(lambda: referee.connected() == 1)
    referee.process.terminate()
    referee.process.wait(30)
    time.sleep(4)
    again = Referee(referee.socket.parent, "--grace", "1.5", "--drain", "1")
    try:
        time.sleep(6)  # long enough for several tries that find the bot unknown
        again.admit("one")
        until(lambda: any("connected again" in line for line in lines))
        assert again.connected() == 1
    finally:
        bot.send_signal(signal.SIGINT)
        bot.wait(20)
        reader.join(20)
        again.stop()
    said = "\n".join(lines)
    where = f"the server at {referee.address}"
    for words in ("is stopping", "does not answer", "does not expect this bot yet"):
        assert lines.count(f"{where} {words}; trying again ...") == 1, said
    assert f"connected again to {referee.address}" in lines[-1]
    assert "UNKNOWN_TOKEN" not in said
    assert "ipv4" not in said
    assert len(lines) == 6, said
