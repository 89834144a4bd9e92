"""What every file of the project keeps to: sizes, names, docstrings, no left-overs."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.sources import PACKAGES, ROOT, below, python_files, said, tree

MOST_LINES_IN_A_FILE = 400
MOST_LINES_IN_A_FUNCTION = 45
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}
# Written in two parts, so that this file does not find itself.
MARKS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|raise NotImplemented" r"Error")
MACHINE_PATHS = re.compile(r"/(?:wo" r"rk|fa" r"rm|ro" r"ot|home/\w+)/")
PROSE = ("*.md", "*.toml", "*.yaml", "*.yml", "*.sh", "*.ts", "*.tsx", "*.css", "*.html", "*.proto")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions() -> Iterator[tuple[Path, Function]]:
    for path in python_files():
        for node in ast.walk(tree(path)):
            if isinstance(node, Function):
                yield path, node


def test_files_are_short_enough_to_read() -> None:
    sizes = {path: path.read_text(encoding="utf-8").count("\n") for path in python_files()}
    long = [f"{said(path, size)}" for path, size in sizes.items() if size > MOST_LINES_IN_A_FILE]
    assert sizes
    assert not long, long


def test_functions_are_short_enough_to_read() -> None:
    long = [
        f"{said(path, node.lineno)} {node.name}"
        for path, node in functions()
        if (node.end_lineno or node.lineno) - node.lineno + 1 > MOST_LINES_IN_A_FUNCTION
    ]
    assert not long, long


def test_file_names_say_what_is_inside() -> None:
    wrong = [
        said(path, 1)
        for path in python_files()
        if NAMES_THAT_SAY_NOTHING.intersection({path.stem.strip("_"), path.parent.name})
    ]
    assert not wrong, wrong


def test_no_marks_of_unfinished_work() -> None:
    wrong = [
        said(path, number)
        for path in [*python_files(), *prose()]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MARKS.search(line)
    ]
    assert not wrong, wrong


def test_no_file_names_the_machine_it_was_written_on() -> None:
    wrong = [
        said(path, number)
        for path in [*python_files(), *prose(), ROOT / "dev", ROOT / ".ci" / "run"]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MACHINE_PATHS.search(line)
    ]
    assert not wrong, wrong


def prose() -> list[Path]:
    return [path for pattern in PROSE for path in below(ROOT, pattern)]


def test_every_test_asserts_something() -> None:
    hollow = [
        f"{said(path, node.lineno)} {node.name}"
        for path, node in functions()
        if node.name.startswith("test_")
        and path.is_relative_to(ROOT / "tests")
        and not re.search(r"assert|raises|expect|check|verify|warns", ast.unparse(node))
    ]
    assert not hollow, hollow


def test_public_functions_and_classes_say_what_they_do() -> None:
    silent = [
        f"{said(path, node.lineno)} {node.name}"
        for name, package in PACKAGES.items()
        for path in below(package, "*.py")
        for node in public(tree(path), everything=name == "kibitz")
        if not ast.get_docstring(node)
    ]
    assert not silent, "\n".join(silent)


def public(
    module: ast.Module | ast.ClassDef, *, everything: bool
) -> Iterator[Function | ast.ClassDef]:
    """Yield the public functions of a module; if everything, also its classes and their methods."""
    for node in module.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node
        elif isinstance(node, ast.ClassDef) and everything and not node.name.startswith("_"):
            yield node
            if not inherits(node):
                yield from public(node, everything=True)


def inherits(node: ast.ClassDef) -> bool:
    """Whether a class's methods may be overrides, described where they are first declared."""
    return not {ast.unparse(parent).partition("[")[0] for parent in node.bases} <= {
        "NamedTuple",
        "Protocol",
        "Generic",
        "int",
        "IntEnum",
        "StrEnum",
        "Exception",
        "ABC",
    }
