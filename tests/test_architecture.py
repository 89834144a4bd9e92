"""Who may import whom, and what the rules of the games may not touch."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import PACKAGES, below, imports, module_name, said, tree

MAY_IMPORT = {
    "kibitz": set(),
    "kibitz_referee": {"kibitz"},
    "kibitz_worker": {"kibitz"},
    "kibitz_api": {"kibitz", "kibitz_worker"},
}
# The rules: the same inputs give the same deal on every machine, for ever.
RULES = ("games", "phases", "deal", "match", "record", "game", "cards", "actions", "events", "view")
SEEDED = "random.Random"  # a generator that somebody else has seeded
CLOCKS_AND_LUCK = {
    "time",
    "datetime",
    "random",
    "secrets",
    "uuid",
    "asyncio",
    "threading",
    "socket",
}


def rules_files() -> list[Path]:
    sdk = PACKAGES["kibitz"]
    files = [path for name in RULES for path in [sdk / f"{name}.py"] if path.is_file()]
    return files + [
        path for name in RULES if (sdk / name).is_dir() for path in below(sdk / name, "*.py")
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way_only(package: str) -> None:
    ours = set(PACKAGES) - MAY_IMPORT[package] - {package}
    wrong = [
        f"{said(path, line)} imports {name}"
        for path in below(PACKAGES[package], "*.py")
        for line, name in imports(path, module_name(path, package))
        if name.partition(".")[0] in ours
    ]
    assert not wrong, "\n".join(wrong)


def test_rules_import_only_the_standard_library_and_themselves() -> None:
    files = rules_files()
    assert files
    wrong = [
        f"{said(path, line)} imports {name}"
        for path in files
        for line, name in imports(path, module_name(path, "kibitz"))
        if name.partition(".")[0]
        not in sys.stdlib_module_names | {"kibitz", "mypy_extensions"}  # marks for mypyc
    ]
    assert not wrong, "\n".join(wrong)


def test_rules_know_no_clock_and_draw_no_luck() -> None:
    wrong = [
        f"{said(path, line)} imports {name}"
        for path in rules_files()
        for line, name in imports(path, module_name(path, "kibitz"))
        if name.partition(".")[0] in CLOCKS_AND_LUCK and name != SEEDED
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_in_the_sdk_draws_from_the_global_random() -> None:
    wrong = [
        said(path, node.lineno)
        for path in below(PACKAGES["kibitz"], "*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "random"
        and node.attr not in {"Random", "SystemRandom"}
    ]
    assert not wrong, "\n".join(wrong)


def test_importing_kibitz_brings_in_nothing_heavy() -> None:
    heavy = ("grpc", "google.protobuf", "httpx", "typer", "rich", "numpy", "asyncio")
    said_by_python = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import kibitz, sys; print([m for m in {heavy} if m in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said_by_python.strip() == "[]"


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_export_what_they_say_they_export(package: str) -> None:
    for path in below(PACKAGES[package], "__init__.py"):
        listed = [
            ast.literal_eval(node.value)
            for node in tree(path).body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        ]
        for names in listed:
            assert set(names) <= defined(path), f"{said(path, 1)}: __all__ names what is not there"


def defined(path: Path) -> set[str]:
    """Give the names that a module binds at its top level."""
    found: set[str] = set()
    for node in tree(path).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {name.asname or name.name for name in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found
