"""The address that `kibitz-server up` prints on a terminal, and where it is not printed."""

import os
import pty
import re
import subprocess
import sys
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from tests.e2e.servers import RunningServer, free_port, until


def test_on_a_terminal_an_address_is_printed_that_logs_in(tmp_path: Path) -> None:
    data, port = tmp_path / "data", str(free_port())
    up = [sys.executable, "-m", "kibitz_api.server", "up", "--listen", "", "--data", str(data)]
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*up, "--port", port], stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    try:
        said = ""
        while "Ctrl-C" not in said:
            said += os.read(ours, 4096).decode()
        token = (data / "token").read_text().strip()
        found = re.search(r"http://127\.0\.0\.1:\d+/login\?token=\S+", said)
        assert found, said
        assert token in found[0]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        page = browser.open(found[0], timeout=20).read().decode()
        assert 'class="who" href="/account">local</a>' in page
    finally:
        process.terminate()
        process.wait(30)
        os.close(ours)


def test_what_is_kept_in_a_file_holds_no_token(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "data").up() as server:
        until(lambda: "Ctrl-C" in server.said.read_text(), 30, "the server's words")
        said = server.said.read_text()
        page = urllib.request.urlopen(server.url, timeout=20).read().decode()
    assert f"Your token is in {server.data / 'token'}" in said
    assert (server.data / "token").read_text().strip() not in said
    assert 'class="who" href="/login">Log in</a>' in page
