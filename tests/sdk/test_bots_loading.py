"""Finding bots by what a user types."""

import sys
from collections.abc import Iterator
from pathlib import Path

import kibitz
import pytest
from kibitz import BotError
from kibitz.loading import load_bot
from kibitz.manifest import Manifest, ManifestError

BOT = """
from kibitz import Bot

class Mine(Bot):
    def play(self, view):
        return view.legal[0]
"""


@pytest.fixture(autouse=True)
def _same_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", sys.path[:])
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        if name.startswith("kibitz_bot_"):
            del sys.modules[name]


def folder(path: Path, toml: str = 'name = "mine"\nentry = "bot:Mine"', code: str = BOT) -> Path:
    path.mkdir(exist_ok=True)
    (path / "kibitz.toml").write_text(f"[bot]\n{toml}\n")
    (path / "bot.py").write_text(code)
    return path


@pytest.mark.parametrize("name", ["random", "careful", "search"])
def test_shipped_bots_go_by_their_names(name: str) -> None:
    assert load_bot(name).name == name


def test_a_folder_is_named_by_its_manifest(tmp_path: Path) -> None:
    toml = 'name = "deep-thought"\nentry = "bot:Mine"\ngames = ["whist"]'
    bot = load_bot(folder(tmp_path / "f", toml))
    assert (bot.name, bot.games) == ("deep-thought", ("whist",))


def test_a_file_is_named_by_its_class_and_by_its_manifest_if_there_is_one(tmp_path: Path) -> None:
    (tmp_path / "lone.py").write_text(BOT)
    assert load_bot(tmp_path / "lone.py").name == "Mine"
    assert load_bot(folder(tmp_path / "f") / "bot.py").name == "mine"


def test_a_function_called_agent_is_a_bot(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("def agent(view):\n    return view.legal[0]\n")
    assert load_bot(tmp_path / "plain.py").name == "agent"
    assert load_bot(f"{tmp_path / 'plain.py'}:agent").name == "agent"


def test_an_importable_class_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "importable_bot_module.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    assert load_bot("importable_bot_module:Mine").name == "Mine"
    assert load_bot("kibitz.bots.careful:Careful").name == "careful"


def test_two_folders_may_use_the_same_file_names(tmp_path: Path) -> None:
    code = BOT.replace("from kibitz", "import net\nfrom kibitz").replace("[0]", "[net.WHICH]")
    for which in (0, 1):
        path = folder(tmp_path / str(which), code=code)
        (path / "net.py").write_text(f"WHICH = {which}\n")
    game = kibitz.game("german_whist")
    view = game.new_deal(kibitz.shuffle(game, 1)).view(1)
    for which in (0, 1, 0):
        assert load_bot(tmp_path / str(which)).play(view) == view.legal[which]


@pytest.mark.parametrize(
    ("code", "line", "what"),
    [
        ("x = 1\nraise ValueError('boom')\n", 2, "ValueError: boom"),
        ("x = 1\n\ndef f(:\n", 3, "SyntaxError"),
        ("import nothing_of_this_name\n", 1, "ModuleNotFoundError"),
        ("raise SystemExit(1)\n", 1, "SystemExit"),
    ],
)
def test_code_that_fails_on_import_is_told_with_file_and_line(
    tmp_path: Path, code: str, line: int, what: str
) -> None:
    path = folder(tmp_path / "f", code=code)
    with pytest.raises(BotError, match=what) as caught:
        load_bot(path)
    assert caught.value.where == f"{path.resolve() / 'bot.py'}:{line}"
    assert caught.value.reason == "BOT_NOT_LOADED"


def test_run_without_a_guard_is_told_and_plays_nothing(tmp_path: Path) -> None:
    path = folder(tmp_path / "f", code=f"{BOT}\nfrom kibitz import run\nrun(Mine())\n")
    with pytest.raises(BotError, match="__main__") as caught:
        load_bot(path)
    assert caught.value.reason == "RUN_ON_IMPORT"
    assert caught.value.where.endswith(f"bot.py:{BOT.count(chr(10)) + 3}")


@pytest.mark.parametrize(
    ("toml", "what"),
    [
        ('entry = "bot:Mine"', "name ''"),
        ('name = "a b"\nentry = "bot:Mine"', "name 'a b'"),
        ('name = "a"', "either entry"),
        ('name = "a"\nentry = "bot:Mine"\ncommand = ["x"]', "either entry"),
        ('name = "a"\nentry = "bot.Mine"', "entry 'bot.Mine'"),
        ('name = "a"\nentry = "bot:Mine"\ngame = ["whist"]', "did you mean games"),
        ('name = "a"\nentry = "bot:Mine"\ngames = ["wist"]', "did you mean whist"),
        ('name = "a"\nentry = "bot:Mine"\ngames = "whist"', "games must be a list"),
        ('name = 3\nentry = "bot:Mine"', "name must be a text"),
        ("name = ", "Invalid value"),
    ],
)
def test_a_wrong_manifest_says_what_is_wrong(tmp_path: Path, toml: str, what: str) -> None:
    path = folder(tmp_path / "f", toml)
    with pytest.raises(ManifestError, match=what) as caught:
        load_bot(path)
    assert "kibitz.toml" in str(caught.value)


def test_a_program_is_no_bot_for_this_process(tmp_path: Path) -> None:
    path = folder(tmp_path / "f", 'name = "js"\ncommand = ["node", "bot.js"]')
    assert Manifest.read(path).command == ("node", "bot.js")
    with pytest.raises(BotError, match="kibitz connect"):
        load_bot(path)


@pytest.mark.parametrize("spec", ["nobody", "no/such/bot.py", "no_such_module:Bot", "./nothing"])
def test_what_is_not_there_is_told(spec: str) -> None:
    with pytest.raises(BotError) as caught:
        load_bot(spec)
    assert caught.value.reason == "BOT_NOT_FOUND"


def test_names_that_are_not_in_the_file_are_told(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(BOT + BOT.replace("Mine", "Other"))
    with pytest.raises(BotError, match="several bots \\(Mine, Other\\)"):
        load_bot(tmp_path / "two.py")
    with pytest.raises(BotError, match="has no Third"):
        load_bot(f"{tmp_path / 'two.py'}:Third")
    (tmp_path / "none.py").write_text("x = 1\n")
    with pytest.raises(BotError, match="holds no bot"):
        load_bot(tmp_path / "none.py")
