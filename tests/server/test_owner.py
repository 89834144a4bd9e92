"""The installation's token: private, lasting, and valid even after the database was lost."""

from pathlib import Path

from kibitz_api.server.owner import ensure_token
from kibitz_worker.store import open_store
from kibitz_worker.store.accounts import user_of_token


def owner_of(data_dir: Path, token: str) -> str | None:
    with open_store(data_dir) as store, store.read() as session:
        user = user_of_token(session, token)
        return user.name if user else None


def ensured(data_dir: Path) -> str:
    with open_store(data_dir) as store:
        return ensure_token(store, data_dir).read_text().strip()


def test_the_token_is_readable_by_its_user_alone_and_lasts(tmp_path: Path) -> None:
    token = ensured(tmp_path)
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
    assert owner_of(tmp_path, token) == "local"
    assert ensured(tmp_path) == token


def test_the_token_stays_valid_when_the_database_is_made_anew(tmp_path: Path) -> None:
    token = ensured(tmp_path)
    for file in tmp_path.glob("kibitz.db*"):
        file.unlink()
    assert ensured(tmp_path) == token
    assert owner_of(tmp_path, token) == "local"


def test_a_token_file_that_was_emptied_gets_a_new_token(tmp_path: Path) -> None:
    first = ensured(tmp_path)
    (tmp_path / "token").write_text("")
    second = ensured(tmp_path)
    assert second != first
    assert owner_of(tmp_path, second) == "local"
