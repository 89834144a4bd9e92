"""Compiles the rules with mypyc when kibitz is installed with KIBITZ_COMPILE=1; else does nothing.

The compiled build is made from the same sources: modules that are named here become extensions,
and everything else stays as it is. Without the variable no compiler and no mypy is asked for.
kibitz-server compiles some of its modules by the same code (``hatch_build.py`` of the repository).
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = (
    *("cards", "actions", "layout", "view", "fold", "deal", "game"),
    *("hidden", "placement", "laid_away", "imagine"),
    *(f"phases/{name}" for name in ("phase", "trick", "auction", "choice", "declare", "exchange")),
    *(f"games/{name}" for name in ("german_whist", "whist", "whiskey", "whos_who")),
    "games/three_handed_whist",
    *(f"games/ottocento/{name}" for name in ("pack", "piles", "melds", "rules")),
    *(f"games/solo_whist/{name}" for name in ("bidding", "contracts", "gathering", "rules")),
)
"""What is compiled: all that a decision of a deal and an imagined deal go through."""

NEEDS = ["mypy[mypyc]>=2.4.1,<2.5"]
NO_COMPILER = """\
{what} could not be compiled: {error}
KIBITZ_COMPILE=1 needs a C compiler and the headers of Python (Debian, Ubuntu: gcc libc6-dev
python3-dev; macOS: xcode-select --install). Without KIBITZ_COMPILE the pure build needs neither."""


class Compilation:
    """What is compiled of one package, and the folder where it is while a wheel is built."""

    def __init__(
        self, what: str, package: Path, modules: Sequence[str], imports: str = "silent"
    ) -> None:
        """Take the package's folder and its modules; ``imports`` says how mypy follows others."""
        self.what, self.package, self.modules, self.imports = what, package, modules, imports
        self._made: Path | None = None

    def into(self, app: Any, version: str, build_data: dict[str, Any]) -> None:
        """Compile into the wheel that is about to be built, where that is asked for."""
        if not wanted():
            return
        if version == "editable":
            text = "KIBITZ_COMPILE is for installs that are not editable"
            app.display_warning(f"{self.what} will not be compiled: {text}")
            return
        self._made = folder = Path(tempfile.mkdtemp(prefix="kibitz-compile-"))
        try:
            extensions = self.compiled(folder)
        except (Exception, SystemExit) as error:
            self.clear()
            app.abort(NO_COMPILER.format(what=self.what, error=error))
        build_data["force_include"].update({str(folder / one): one for one in extensions})
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def clear(self) -> None:
        """Clear away what was compiled, once it is in the wheel."""
        if self._made is not None:
            shutil.rmtree(self._made, ignore_errors=True)

    def compiled(self, folder: Path) -> list[str]:
        """Compile in a folder of its own; return the paths of the extensions in it."""
        from mypyc.build import mypycify  # noqa: PLC0415  # installed for this build only

        name = self.package.name
        group = f"{name}_compiled"
        shutil.copytree(self.package, folder / name)
        before = Path.cwd()
        os.chdir(folder)  # mypyc names modules by their paths from here
        try:
            try_compiler(folder / "trial")
            options = ["--config-file=", "--ignore-missing-imports"]
            options.append(f"--follow-imports={self.imports}")
            extensions = mypycify(
                [*options, *(f"{name}/{module}.py" for module in self.modules)],
                opt_level=os.environ.get("KIBITZ_COMPILE_LEVEL", "3"),
                debug_level="0",
                multi_file=True,
                group_name=group,
            )
            build(extensions)
        finally:
            os.chdir(before)
        made = [*folder.glob(f"{group}__mypyc*"), *(folder / name).rglob("*")]
        return [str(one.relative_to(folder)) for one in made if one.suffix in {".so", ".pyd"}]


def try_compiler(folder: Path) -> None:
    """Compile next to nothing, so that a missing compiler is told of before all else is done."""
    from setuptools import Extension  # noqa: PLC0415  # installed for this build only

    folder.mkdir()
    source = folder / "trial.c"
    source.write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_trial(void) { return NULL; }\n")
    build([Extension("trial.trial", [str(source)])])
    shutil.rmtree(folder)


def build(extensions: list[Any]) -> None:
    """Compile extensions in place."""
    from setuptools import Distribution  # noqa: PLC0415  # installed for this build only

    command = Distribution({"name": "kibitz", "ext_modules": extensions}).get_command_obj(
        "build_ext"
    )
    command.inplace, command.parallel = True, os.cpu_count()
    command.ensure_finalized()
    command.run()


class CompiledRules(BuildHookInterface[Any]):
    """Runs before each wheel of kibitz is built, editable ones among them."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for mypyc only where it is used."""
        return needs()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules into the wheel, where that is asked for."""
        self.rules = rules(Path(self.root))
        self.rules.into(self.app, version, build_data)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clear away what was compiled, once it is in the wheel."""
        self.rules.clear()


def wanted() -> bool:
    """Return whether the compiled build is asked for."""
    return os.environ.get("KIBITZ_COMPILE", "") not in {"", "0"}


def rules(root: Path) -> Compilation:
    """Return what is compiled of kibitz."""
    return Compilation("kibitz: the rules", root / "kibitz", MODULES)


def needs() -> list[str]:
    """Return what compiling asks for besides a C compiler; nothing where it is not wanted."""
    return NEEDS if wanted() else []


if __name__ == "__main__":
    print(*rules(Path(__file__).parent).compiled(Path(sys.argv[1])), sep="\n")
