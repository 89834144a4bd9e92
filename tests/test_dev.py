"""The script ./dev, with a Python of straw that notes what it was asked to do."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.sources import ROOT

# Stands for python3 and for .venv/bin/python: answers what the script asks, logs what it installs.
STRAW = """#!/bin/sh
case "$*" in
    *version_info*) exit "${STRAW_OLD:-0}" ;;
    *ensurepip*) exit "${STRAW_NO_VENV:-0}" ;;
    --version) echo "Python 3.9.2" ;;
    "-m venv "*) echo venv >>"$STRAW_LOG"; mkdir -p "$3/bin"; cp "$0" "$3/bin/python" ;;
    "-m pip install "*) echo "pip from $PWD: $*" >>"$STRAW_LOG"; sleep "${STRAW_SLEEP:-0}"
        exit "${STRAW_PIP:-0}" ;;
    *) echo "from $PWD: $*" ;;
esac
"""
PYTHONS = ("python3", "python3.11", "python3.12", "python3.13", "python3.14")


class Project:
    """A folder with the script in it and Pythons of straw on PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a project"
        self.log = folder / "log"
        (self.folder / "sdk").mkdir(parents=True)
        shutil.copy(ROOT / "dev", self.folder / "dev")
        for place in ("pyproject.toml", "sdk/pyproject.toml"):
            (self.folder / place).write_text("[project]\n")
        programs = folder / "bin"
        programs.mkdir()
        for name in PYTHONS:
            (programs / name).write_text(STRAW)
            (programs / name).chmod(0o755)
        self.environment = {"PATH": f"{programs}:/usr/bin:/bin", "STRAW_LOG": str(self.log)}

    def dev(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """Start ./dev from another folder."""
        return subprocess.Popen(
            [str(self.folder / "dev"), *arguments],
            cwd="/",
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, **environment: str) -> tuple[int, str, str]:
        """Run ./dev to its end; give code, stdout, stderr."""
        process = self.dev(*arguments, **environment)
        out, err = process.communicate(timeout=30)
        return process.returncode, out, err

    def logged(self) -> list[str]:
        """Give what the straw Pythons were asked to install."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    def installs(self) -> int:
        """Count the installations."""
        return sum(line.startswith("pip") for line in self.logged())


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_the_first_call_installs_both_distributions_with_one_pip_command(project: Project) -> None:
    code, out, _ = project.run("test", "tests/sdk", "-k", "a name")
    assert (code, out) == (0, f"from {project.folder}: -m pytest tests/sdk -k a name\n")
    assert project.logged()[0] == "venv"
    assert [line.partition(": ")[2] for line in project.logged()[1:]] == [
        "-m pip install --quiet --disable-pip-version-check -e sdk -e .[dev]"
    ]


def test_the_second_call_installs_nothing_and_is_quick(project: Project) -> None:
    project.run("test")
    began = time.perf_counter()
    code, _, err = project.run("test")
    assert time.perf_counter() - began < 0.3
    assert (code, err, project.installs()) == (0, "", 1)


def test_changed_dependencies_are_installed(project: Project) -> None:
    project.run("test")
    (project.folder / "sdk" / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert "changed" in project.run("test")[2]
    assert project.logged().count("venv") == 1
    assert project.installs() == 2


def test_an_interrupted_installation_is_made_anew(project: Project) -> None:
    process = project.dev("test", STRAW_SLEEP="30")
    until = time.monotonic() + 10
    while project.installs() == 0 and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    (project.folder / ".venv" / "half-written").write_text("")
    assert project.run("test")[0] == 0
    assert project.logged().count("venv") == 2
    assert not (project.folder / ".venv" / "half-written").exists()


def test_a_failed_installation_says_so_and_is_tried_again(project: Project) -> None:
    code, _, err = project.run("test", STRAW_PIP="1")
    assert code == 1
    assert "dev: The installation failed" in err
    assert project.run("test")[0] == 0


def test_a_folder_that_was_moved_gets_an_environment_of_its_own(project: Project) -> None:
    project.run("test")
    project.folder = project.folder.rename(project.folder.with_name("moved"))
    assert project.run("test")[0] == 0
    assert project.logged().count("venv") == 2


def test_two_calls_at_once_install_once(project: Project) -> None:
    both = [project.dev("test", STRAW_SLEEP="1") for _ in range(2)]
    for process in both:
        process.communicate(timeout=30)
    assert [process.returncode for process in both] == [0, 0]
    assert project.installs() == 1


def test_an_old_python_is_named_with_what_helps(project: Project) -> None:
    code, _, err = project.run("test", STRAW_OLD="1")
    assert code == 1
    assert "needs Python 3.11 or newer and found Python 3.9.2" in err
    assert "KIBITZ_PYTHON" in err


def test_a_missing_venv_module_is_named_with_its_package(project: Project) -> None:
    code, _, err = project.run("test", STRAW_NO_VENV="1")
    assert code == 1
    assert "sudo apt-get install python3-venv" in err


def test_help_installs_nothing_and_an_unknown_command_shows_it(project: Project) -> None:
    code, out, _ = project.run("help")
    assert code == 0
    assert all(f"  {name} " in out for name in ("demo", "up", "test", "check", "bench", "help"))
    code, _, err = project.run("tset")
    assert code == 1
    assert "no command 'tset'" in err
    assert project.logged() == []
