"""The files of the repository that its own rules are checked on."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Distribution roots and the package that each holds.
PACKAGES = {
    "kibitz": ROOT / "sdk" / "kibitz",
    "kibitz_referee": ROOT / "referee" / "kibitz_referee",
    "kibitz_worker": ROOT / "worker" / "kibitz_worker",
    "kibitz_api": ROOT / "api" / "kibitz_api",
}
# Generated code: the protocol's in v1 (for Node in generated), the migrations' in versions.
GENERATED = {"v1", "versions", "generated"}
NOT_OURS = {".git", ".venv", "node_modules", "__pycache__", "build", "dist", ".kibitz"} | GENERATED
CACHES = {".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"}


def below(folder: Path, pattern: str) -> list[Path]:
    """List the files under a folder that people wrote: neither generated nor installed."""
    return sorted(
        path
        for path in folder.rglob(pattern)
        if path.is_file() and not (NOT_OURS | CACHES).intersection(path.relative_to(ROOT).parts)
    )


def python_files() -> list[Path]:
    """List every Python file of the project, tests included."""
    return below(ROOT, "*.py")


@cache
def tree(path: Path) -> ast.Module:
    """Parse one file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def module_name(path: Path, package: str) -> str:
    """Give the dotted name under which a file of a package is imported."""
    parts = path.relative_to(PACKAGES[package].parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, module: str) -> Iterator[tuple[int, str]]:
    """Yield line and dotted name of every import, relative ones resolved against the module."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - node.level + 1]
            origin = ".".join(
                [*(up if node.level else []), *([node.module] if node.module else [])]
            )
            yield from ((node.lineno, f"{origin}.{name.name}") for name in node.names)


def said(path: Path, line: int) -> str:
    """Name a place as people and editors do."""
    return f"{path.relative_to(ROOT)}:{line}"
