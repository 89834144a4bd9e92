"""What everybody is told of a bot's process that ended by itself."""

import subprocess
import sys
from pathlib import Path

import pytest
from kibitz_worker.play.endings import in_public, why_ended


@pytest.mark.parametrize(
    ("code", "reason", "words"),
    [
        ("def f(:\n    pass\n", "SYNTAX_ERROR", "invalid syntax (bot.py, line 1)"),
        ("if 1:\npass\n", "SYNTAX_ERROR", "expected an indented block"),
        ("import nowhere_at_all\n", "BAD_IMPORT", "No module named 'nowhere_at_all'"),
        ("from os import nothing\n", "BAD_IMPORT", "cannot import name 'nothing' from 'os'"),
        ("raise ValueError('boom')\n", "BOT_ENDED", "cannot be imported: ValueError: boom"),
        ("import os\nos._exit(3)\n", "BOT_ENDED", "its process ended with status 3"),
        ("open(__file__ + '.model')\n", "BOT_ENDED", "'bot.py.model'"),
    ],
)
def test_the_cause_is_named_without_folders(
    tmp_path: Path, code: str, reason: str, words: str
) -> None:
    (tmp_path / "bot.py").write_text(code)
    (tmp_path / "kibitz.toml").write_text('[bot]\nname = "one"\nentry = "bot:One"\n')
    command = [sys.executable, "-m", "kibitz.bots", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    found, said = why_ended(done.returncode, done.stderr)
    assert (found, words in said) == (reason, True), said
    assert str(tmp_path) not in said
    assert "/" not in said


def test_what_a_hostile_bot_writes_last_is_one_short_printable_line() -> None:
    said = in_public("\x1b[2J /srv/kibitz/versions/ab/bot.py " + "x" * 3000)
    assert said.startswith("?[2J bot.py xxx")
    assert said.isprintable()
    assert len(said) == 200


def test_an_end_without_words_or_without_fault_is_told_by_its_status() -> None:
    assert why_ended(-9, " \n\n") == ("BOT_ENDED", "its process ended with status -9")
    assert why_ended(0, "bye\n") == ("BOT_ENDED", "its process ended with status 0")
