"""Old records replay as they always did; they are never written anew."""

import hashlib

import kibitz
import pytest
from kibitz import Record

from tests.sdk.rules.golden_records import FOLDER, RECORDS

DIGESTS = dict(
    line.split()[::-1] for line in (FOLDER / "SHA256").read_text(encoding="utf-8").splitlines()
)


@pytest.mark.parametrize("name", sorted(DIGESTS))
def test_an_old_record_replays(name: str) -> None:
    text = (FOLDER / name).read_bytes()
    assert hashlib.sha256(text).hexdigest() == DIGESTS[name], "an old record has been changed"
    record = Record.from_json(text)
    match = record.verify()
    assert match.over
    assert record.data.items() >= {**match.record().data, "deals": record.data["deals"]}.items()
    assert len(record.data["chain"]) == 64, "the replay is held to every event there was"


def test_every_record_is_kept_and_every_game_has_some() -> None:
    names = {path.name for path in FOLDER.glob("*.json")}
    assert names == set(DIGESTS) == {f"{name}.json" for name in RECORDS}
    assert {game for game, _ in RECORDS.values()} == set(kibitz.games())
