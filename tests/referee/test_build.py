"""Which build of the referee the tests run on, and that the compiled one is made of what exists."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from kibitz import __version__
from kibitz.build import build_of

import hatch_build

ROOT = Path(hatch_build.__file__).parent
TESTED = os.environ.get("KIBITZ_BUILD", "pure")
"""The build that is meant to be tested; `./dev test-compiled` says "compiled"."""


def test_all_busy_modules_are_of_the_build_that_is_meant() -> None:
    names = [f"kibitz_referee.{module}" for module in hatch_build.COMPILED]
    assert [import_module(name).__name__ for name in names] == names
    assert {name: build_of(name) for name in names} == dict.fromkeys(names, TESTED)


def test_the_version_names_the_builds() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kibitz_referee", "--version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == f"{__version__} (rules {TESTED}, referee {TESTED})\n"


@pytest.mark.parametrize("value", ["", "0", "1"])
def test_mypyc_is_asked_for_by_the_variable_of_the_rules(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("KIBITZ_COMPILE", value)
    rules = hatch_build.compiling(ROOT)
    assert rules["needs"]() == (rules["NEEDS"] if value == "1" else [])


def test_what_is_compiled_is_the_referee_of_this_repository() -> None:
    compilation = hatch_build.referee(ROOT)
    files = [compilation.package / f"{module}.py" for module in compilation.modules]
    assert [file for file in files if not file.is_file()] == []
    assert len(set(files)) == len(files)
