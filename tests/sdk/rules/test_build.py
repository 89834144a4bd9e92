"""Which build of the rules the tests run on, and how the compiled one is asked for."""

import os
import subprocess
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from kibitz.build import BUILD
from kibitz.cli.main import cli
from typer.testing import CliRunner

HOOK = Path(__file__).parents[3] / "sdk" / "hatch_compile.py"
TESTED = os.environ.get("KIBITZ_BUILD", "pure")
"""The build that is meant to be tested; `./dev test-compiled` says "compiled"."""


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = spec_from_file_location("kibitz_hatch_compile", HOOK)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_modules_of_the_rules_are_of_the_build_that_is_meant(hook: ModuleType) -> None:
    names = [f"kibitz.{module.replace('/', '.')}" for module in hook.MODULES]
    files = {name: str(import_module(name).__file__) for name in names}
    compiled = [name for name, file in files.items() if file.endswith(tuple(EXTENSION_SUFFIXES))]
    assert compiled == (names if TESTED == "compiled" else [])
    assert BUILD == TESTED


def test_every_module_that_is_compiled_exists(hook: ModuleType) -> None:
    missing = [name for name in hook.MODULES if not (HOOK.parent / f"kibitz/{name}.py").is_file()]
    assert missing == []
    assert len(set(hook.MODULES)) == len(hook.MODULES)


def test_all_games_are_compiled(hook: ModuleType) -> None:
    games = HOOK.parent / "kibitz" / "games"
    there = {
        str(file.relative_to(games.parent).with_suffix(""))
        for file in games.rglob("*.py")
        if file.name != "__init__.py"
    }
    assert there <= set(hook.MODULES)


def test_the_version_names_the_build() -> None:
    shown = CliRunner().invoke(cli, ["--version"])
    assert shown.output.startswith("kibitz 0.")
    assert shown.output.endswith(f" ({TESTED})\n")


@pytest.mark.parametrize(
    ("value", "wanted"), [(None, False), ("", False), ("0", False), ("1", True)]
)
def test_compiling_is_asked_for_by_a_variable(
    hook: ModuleType, monkeypatch: pytest.MonkeyPatch, value: str | None, wanted: bool
) -> None:
    monkeypatch.delenv("KIBITZ_COMPILE", raising=False)
    if value is not None:
        monkeypatch.setenv("KIBITZ_COMPILE", value)
    assert hook.wanted() is wanted
    needs = hook.CompiledRules.dependencies(object.__new__(hook.CompiledRules))
    assert needs == (hook.NEEDS if wanted else [])


def installing(target: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Install the SDK into a folder as a user does, but with the packages that are here."""
    without = {name: value for name, value in os.environ.items() if not name.startswith("KIBITZ_")}
    plain = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation")
    return subprocess.run(
        [sys.executable, "-m", "pip", "install", *plain, "--target", target, HOOK.parent],
        env=without | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("lacking", [{"CC": "false"}, {"CC": "no-such-compiler"}], ids=str)
def test_without_a_compiler_the_compiled_build_says_what_is_missing(
    hook: ModuleType, tmp_path: Path, lacking: dict[str, str]
) -> None:
    done = installing(tmp_path / "target", KIBITZ_COMPILE="1", **lacking)
    told = done.stdout + done.stderr
    assert done.returncode != 0
    assert "kibitz: the rules could not be compiled: " in told
    for line in hook.NO_COMPILER.splitlines()[1:]:
        assert line in told
    assert "Traceback" not in told
    assert not (tmp_path / "target").exists()


def test_without_a_compiler_the_pure_build_installs(tmp_path: Path) -> None:
    done = installing(tmp_path, CC="false")
    assert done.returncode == 0, done.stderr
    asked = subprocess.run(
        [sys.executable, "-c", "import kibitz.build as b; print(b.BUILD, b.__file__)"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert asked.stdout.split() == ["pure", str(tmp_path / "kibitz" / "build.py")]
