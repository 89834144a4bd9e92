"""What the documents show works: code runs, commands exist, links lead somewhere."""

import re
from collections.abc import Iterator
from pathlib import Path

import kibitz
import pytest
from kibitz.cli.main import cli
from kibitz.local import play_sets
from kibitz_api.server import app as server
from kibitz_worker.settings import Settings
from pydantic_core import PydanticUndefined
from typer.main import get_command

from tests.sources import ROOT, below

FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
DOCUMENTS = [path for path in below(ROOT, "*.md") if path.parent.name not in {"web", "templates"}]


def blocks(path: Path, *languages: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of the code blocks in one of the languages."""
    text = path.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        if found[1] in languages:
            yield text.count("\n", 0, found.start()) + 2, found[2]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def with_python() -> list[Path]:
    return [path for path in DOCUMENTS if any(blocks(path, "python"))]


@pytest.mark.parametrize("path", with_python(), ids=name)
def test_python_in_documents_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shared: dict[str, object] = {"__name__": "document"}
    for line, text in blocks(path, "python"):
        code = compile("\n" * (line - 1) + text, str(path), "exec", dont_inherit=True)
        exec(code, shared)
    assert len(shared) > 1


@pytest.mark.parametrize("game", kibitz.games())
def test_the_bot_of_the_readme_plays_every_game(game: str) -> None:
    shared: dict[str, object] = {"__name__": "document"}
    for _, text in blocks(ROOT / "README.md", "python"):
        exec(text, shared)
    bot = shared["Thrifty"]
    assert isinstance(bot, type)
    assert issubclass(bot, kibitz.Bot)
    others = ["random"] * (kibitz.game(game).players - 1)
    result = play_sets(game, [bot, *others], sets=1, seed=1)
    assert not result.faults


def test_the_readme_names_every_game() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert rows == kibitz.games()


def commands() -> list[tuple[str, str]]:
    """List where the documents use our commands, and which."""
    found = []
    for path in DOCUMENTS:
        for line, text in blocks(path, "console", "sh"):
            for number, row in enumerate(text.splitlines()):
                said = re.match(r"\s*(?:\$ )?((?:kibitz|kibitz-server|\./dev)\s+\S.*)", row)
                if said:
                    found.append((f"{name(path)}:{line + number}", said[1]))
    return found


@pytest.mark.parametrize(("where", "said"), commands(), ids=lambda text: text[:60])
def test_commands_in_documents_exist(where: str, said: str) -> None:
    program, *words = said.partition("#")[0].split()
    if program == "./dev":
        assert f"  {words[0]} " in (ROOT / "dev").read_text(), where
        return
    command = get_command(cli if program == "kibitz" else server)
    while words and words[0][0] != "-" and (known := getattr(command, "commands", None)):
        assert words[0] in known, f"{where}: {program} has no command {words[0]!r}"
        command = known[words.pop(0)]
    flags = {flag for option in command.params for flag in (*option.opts, *option.secondary_opts)}
    used = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert used <= flags | {"--help"}, f"{where}: {used - flags}"


def test_links_lead_to_files() -> None:
    broken = [
        f"{name(path)}: {target}"
        for path in DOCUMENTS
        for target in LINK.findall(path.read_text(encoding="utf-8"))
        if "://" not in target and not (path.parent / target).exists()
    ]
    assert not broken, broken


def settings_table() -> str:
    """Give the operators' table of settings, made from the settings themselves."""
    rows = ["| variable | default | what it is |", "|---|---|---|"]
    for field, about in Settings.model_fields.items():
        shown = "" if about.default in {None, PydanticUndefined} else f"`{about.default}`"
        rows.append(f"| `KIBITZ_{field.upper()}` | {shown} | {about.description} |")
    return "\n".join(rows)


def test_the_operators_page_lists_every_setting() -> None:
    assert all(about.description for about in Settings.model_fields.values())
    page = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    assert settings_table() in page, f"docs/operators.md should hold:\n{settings_table()}"
