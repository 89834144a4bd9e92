"""What is refused, and what the refusal says."""

import contextlib
import io
import os
import stat
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kibitz.cli.archive import pack as pack_folder
from kibitz_worker.submissions import (
    DEFAULT_LIMITS,
    SubmissionError,
    UploadLimits,
    check_upload,
    content_hash,
)

Files = dict[str, bytes]
MakeZip = Callable[..., io.BytesIO]


def refusal(upload: io.BytesIO, limits: UploadLimits = DEFAULT_LIMITS) -> SubmissionError:
    with pytest.raises(SubmissionError) as caught:
        check_upload(upload, limits)
    assert len(str(caught.value)) > 20
    return caught.value


def test_a_sound_bot_is_taken(make_zip: MakeZip, bot: Files) -> None:
    submission = check_upload(make_zip(bot | {"weights/net.bin": bytes(5000)}))
    assert submission.manifest.name == "heart"
    assert submission.manifest.games == ("whiskey",)
    assert sorted(submission.files) == ["bot.py", "kibitz.toml", "weights/net.bin"]
    assert submission.size > 5000
    assert len(submission.content_hash) == 64


def test_what_the_command_line_packs_is_taken(
    bot: Files, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("bot")
    for name, content in bot.items():
        (folder / name).write_bytes(content)
    packed, _ = pack_folder(folder)
    assert check_upload(io.BytesIO(packed)).content_hash == content_hash(bot)


def test_a_zip_of_the_folder_itself_is_the_same_bot(make_zip: MakeZip, bot: Files) -> None:
    wrapped = {f"heart/{name}": content for name, content in bot.items()}
    junk = {"__MACOSX/heart/._bot.py": b"x", "heart/__pycache__/bot.cpython-311.pyc": b"x"}
    plain = check_upload(make_zip(bot))
    assert check_upload(make_zip(wrapped | junk)).content_hash == plain.content_hash


def test_the_hash_depends_on_names_and_contents_only(make_zip: MakeZip, bot: Files) -> None:
    one = check_upload(make_zip(bot)).content_hash
    backwards = dict(reversed(bot.items()))
    date = (1999, 9, 9, 9, 9, 8)
    other = make_zip(backwards, date=date, mode=stat.S_IFREG | 0o600, compression=0)
    assert check_upload(other).content_hash == one
    assert check_upload(make_zip(bot | {"bot.py": b"class Heart: pass\n"})).content_hash != one
    assert content_hash({"ab": b"c"}) != content_hash({"a": b"bc"})


def test_the_hash_is_what_its_description_says() -> None:
    """Made with sha256sum from `kibitz-bot/1` and `HASH a.txt`, a line each."""
    assert content_hash({"a.txt": b"hello\n"}) == (
        "15b167e39cad60861db7c55c2a19acd6c630dcba23e6eade9d94d416b030d7e9"
    )


@pytest.mark.parametrize(
    "name",
    [
        "../evil.py",
        "a/../../evil.py",
        "/etc/cron.d/evil",
        "C:/evil.py",
        "a\\b.py",
        "a//b.py",
        "./a.py",
        "a\x07.py",
        "a\u202eyp.py",
        "zero\u200bwidth.py",
        "cafe\u0301.py",
        "nul.txt",
        "end./x.py",
        "end /x.py",
        "x" * 300,
        "/".join("abcdefghijklmnop"),
    ],
)
def test_bad_paths(make_zip: MakeZip, bot: Files, name: str) -> None:
    error = refusal(make_zip(bot | {name: b"x"}))
    assert error.reason == "BAD_PATH"
    assert error.file.isascii()


def test_a_name_cut_by_a_zero_byte(make_zip: MakeZip, bot: Files) -> None:
    data = make_zip(bot | {"good.py!evil": b"x"}).getvalue().replace(b"good.py!", b"good.py\0")
    assert refusal(io.BytesIO(data)).reason == "BAD_PATH"


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("Net.py", "net.py"), "CASE_CLASH"),
        (("stra\u00dfe.py", "strasse.py"), "CASE_CLASH"),
        (("\ufb01le.py", "file.py"), "CASE_CLASH"),
        (("net", "net/a.py"), "FILE_AND_FOLDER"),
        (("NET", "net/a.py"), "FILE_AND_FOLDER"),
    ],
)
def test_names_that_clash(
    make_zip: MakeZip, bot: Files, names: tuple[str, str], reason: str
) -> None:
    assert refusal(make_zip(bot | dict.fromkeys(names, b"x"))).reason == reason


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice(make_zip: MakeZip, bot: Files) -> None:
    upload = make_zip(bot)
    with zipfile.ZipFile(upload, "a") as archive:
        archive.writestr("bot.py", b"another")
    error = refusal(upload)
    assert error.reason == "DUPLICATE_NAME"
    assert "'bot.py' twice" in str(error)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices(make_zip: MakeZip, bot: Files, kind: int) -> None:
    upload = make_zip(bot)
    with zipfile.ZipFile(upload, "a") as archive:
        info = zipfile.ZipInfo("link.py")
        info.external_attr = (kind | 0o777) << 16
        archive.writestr(info, b"/etc/passwd")
    error = refusal(upload)
    assert (error.reason, error.file) == ("SPECIAL_FILE", "'link.py'")


def test_bombs(make_zip: MakeZip, bot: Files) -> None:
    assert refusal(make_zip(bot | {"zeros": bytes(8 << 20)})).reason == "ZIP_BOMB"


def test_sizes(make_zip: MakeZip, bot: Files) -> None:
    noise = bot | {"noise": os.urandom(9000)}
    assert refusal(make_zip(noise), UploadLimits(packed=5000)).reason == "UPLOAD_TOO_LARGE"
    assert refusal(make_zip(noise), UploadLimits(unpacked=5000)).reason == "UNPACKED_TOO_LARGE"
    assert refusal(make_zip(noise), UploadLimits(files=2)).reason == "TOO_MANY_FILES"
    assert refusal(make_zip(noise), UploadLimits(directory=100)).reason == "TOO_MANY_FILES"
    assert "5000 are allowed" in str(refusal(make_zip(noise), UploadLimits(packed=5000)))


def test_a_lie_about_the_size(make_zip: MakeZip, bot: Files) -> None:
    content = os.urandom(4000)
    data = bytearray(make_zip(bot | {"net.bin": content}, compression=0).getvalue())
    true, lie = (4000).to_bytes(4, "little"), (40).to_bytes(4, "little")
    assert data.count(true) >= 4
    assert refusal(io.BytesIO(bytes(data).replace(true, lie))).reason == "NOT_A_ZIP"


def test_unusual_compression(make_zip: MakeZip, bot: Files) -> None:
    assert refusal(make_zip(bot, compression=zipfile.ZIP_LZMA)).reason == "BAD_COMPRESSION"


def test_encrypted(make_zip: MakeZip, bot: Files) -> None:
    data = bytearray(make_zip(bot).getvalue())
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(magic)
        while at >= 0:
            data[at + offset] |= 1
            at = data.find(magic, at + 1)
    assert refusal(io.BytesIO(bytes(data))).reason == "ENCRYPTED"


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip at all", b"\x1f\x8b" + bytes(100)])
def test_no_zip_at_all(data: bytes) -> None:
    assert refusal(io.BytesIO(data)).reason == "NOT_A_ZIP"


def test_no_manifest(make_zip: MakeZip) -> None:
    error = refusal(make_zip({"src/bot.py": b"x"}))
    assert error.reason == "MANIFEST_MISSING"
    assert "'src/bot.py'" in str(error)
    assert "nothing" in str(refusal(make_zip({})))


def test_a_wrong_manifest_keeps_its_own_reason(make_zip: MakeZip, bot: Files) -> None:
    wrong = b'[bot]\nname = "heart"\nentry = "bot:Heart"\ngames = ["poker"]\n'
    error = refusal(make_zip(bot | {"kibitz.toml": wrong}))
    assert error.reason == "MANIFEST_WRONG"
    assert "poker" in str(error)
    assert refusal(make_zip(bot | {"kibitz.toml": b"\xff"})).reason == "MANIFEST_UNREADABLE"
    assert refusal(make_zip(bot | {"kibitz.toml": b"["})).reason == "MANIFEST_NOT_TOML"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"x = " + b"[" * 8000, "MANIFEST_NOT_TOML"),
        (b"x = " + b"9" * 8000, "MANIFEST_NOT_TOML"),
        (b"# " + b"x" * 20000, "MANIFEST_WRONG"),
    ],
)
def test_hostile_manifests(make_zip: MakeZip, bot: Files, text: bytes, reason: str) -> None:
    assert refusal(make_zip(bot | {"kibitz.toml": text})).reason == reason


def test_what_the_manifest_starts_must_be_there(make_zip: MakeZip, bot: Files) -> None:
    error = refusal(make_zip({"kibitz.toml": bot["kibitz.toml"]}))
    assert (error.reason, error.file) == ("ENTRY_MISSING", "bot.py")
    program = b'[bot]\nname = "heart"\ncommand = ["./play", "fast"]\n'
    assert refusal(make_zip({"kibitz.toml": program})).reason == "ENTRY_MISSING"
    assert check_upload(make_zip({"kibitz.toml": program, "play": b"#!/bin/sh\n"}))
    node = b'[bot]\nname = "heart"\ncommand = ["node", "bot.js"]\n'
    assert check_upload(make_zip({"kibitz.toml": node, "bot.js": b""}))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_zips_are_refused_or_read_but_never_crash(data: st.DataObject) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("kibitz.toml", '[bot]\nname = "heart"\nentry = "bot:Heart"\n')
        archive.writestr("bot.py", "class Heart: ...\n" * 20)
    content = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, 40))
    damaged = io.BytesIO(bytes(content[: len(content) - cut]))
    with contextlib.suppress(SubmissionError):
        assert "bot.py" in check_upload(damaged).files
