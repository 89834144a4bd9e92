"""What a bot can do inside, and how it ends."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent import futures
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest
from kibitz_worker.sandbox import MEBIBYTE, Layer, Limits, Process, SandboxError, launch, probe

if TYPE_CHECKING:
    from tests.worker.sandbox.conftest import Stage

SLEEP = "import time; time.sleep(600)"


def running(marker: str) -> list[int]:
    """Processes with this text in their command line."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                if marker.encode() in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
            except OSError:
                continue
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_a_bot_speaks_with_the_referee_and_knows_its_token(stage: "Stage") -> None:
    process = stage.start(
        "import os, socket\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "s.connect(os.environ['KIBITZ_ADDRESS'].removeprefix('unix:'))\n"
        "s.sendall(os.environ['KIBITZ_TOKEN'].encode())\n"
    )
    connection, _ = stage.listener.accept()
    with connection:
        assert connection.makefile().read() == "secret-of-this-bot"
    assert process.wait(10) == 0


def test_grpc_numpy_and_threads_work_inside(stage: "Stage") -> None:
    stage.listener.close()
    stage.socket.unlink()
    heard: list[bytes] = []

    def answer(request: bytes, _: grpc.ServicerContext) -> bytes:
        heard.append(request)
        return b"well played"

    server = grpc.server(futures.ThreadPoolExecutor(1))
    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(answer)
    handler = grpc.method_handlers_generic_handler("test.Table", {"Say": method})
    server.add_generic_rpc_handlers((handler,))
    server.add_insecure_port(f"unix:{stage.socket}")
    server.start()
    process = stage.start(
        "import os, grpc, numpy, kibitz\n"
        "channel = grpc.insecure_channel(os.environ['KIBITZ_ADDRESS'])\n"
        "say = channel.unary_unary('/test.Table/Say')\n"
        "total = numpy.ones((64, 64)) @ numpy.ones((64, 64))\n"
        "print(say(str(int(total.sum())).encode(), timeout=10).decode())\n"
    )
    assert process.wait(20) == 0, process.output.read_text()
    server.stop(None)
    assert heard == [b"262144"]
    assert process.output.read_text() == "well played\n"


def test_killing_leaves_nothing_behind(stage: "Stage") -> None:
    process = stage.start(SLEEP)
    assert wait_until(lambda: len(running(str(stage.bot))) > 0)
    assert process.poll() is None
    assert process.kill() < 0
    assert wait_until(lambda: not running(str(stage.bot)))
    assert process.kill() < 0


WORKER = """
import json, sys, time
from pathlib import Path
from kibitz_worker.sandbox import Layer, launch
layer, bot, socket, output = sys.argv[1:]
print("launching", flush=True)
launch(["python", bot + "/bot.py"], layer=Layer.from_json(json.loads(layer)), bot_dir=Path(bot),
       referee_socket=Path(socket), env={}, stderr_path=Path(output))
time.sleep(600)
"""


@pytest.mark.parametrize("milliseconds", [1, 3, 6, 10, 20, 40, 300])
def test_bots_die_when_their_worker_is_killed(stage: "Stage", milliseconds: int) -> None:
    """SIGKILL gives the worker no chance to clean up, not even while the bot is starting."""
    (stage.bot / "bot.py").write_text(SLEEP)
    paths = (str(stage.bot), str(stage.socket), str(stage.folder / "output"))
    arguments = [sys.executable, "-c", WORKER, json.dumps(stage.layer.to_json()), *paths]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "launching\n"
        time.sleep(milliseconds / 1000)
        worker.kill()
    assert wait_until(lambda: not running(str(stage.bot)))


@pytest.mark.parametrize("milliseconds", [0, 2, 4, 6, 8, 12, 16, 24, 32, 50])
def test_killing_at_any_moment_leaves_nothing_behind(stage: "Stage", milliseconds: int) -> None:
    for _ in range(3):
        process = stage.start(SLEEP)
        time.sleep(milliseconds / 1000)
        process.kill()
    assert wait_until(lambda: not running(str(stage.bot)))


def test_a_bot_outlives_the_thread_that_launched_it(stage: "Stage") -> None:
    started: list[Process] = []
    thread = threading.Thread(target=lambda: started.append(stage.start(SLEEP)))
    thread.start()
    thread.join()
    time.sleep(0.5)
    assert started[0].poll() is None
    started[0].kill()


def test_output_keeps_beginning_and_end(stage: "Stage") -> None:
    process = stage.start(
        "import sys\n"
        "print('first')\n"
        "for n in range(200_000): print(n, file=sys.stderr)\n"
        "sys.exit('last')\n"
    )
    assert process.wait(20) == 1
    text = process.output.read_text()
    assert len(text) < 66 * 1024
    assert text.startswith("first\n0\n1\n")
    assert text.endswith("199999\nlast\n")
    assert "bytes left out" in text


def test_output_can_be_read_while_the_bot_runs(stage: "Stage") -> None:
    process = stage.start("print('hello')\n" + SLEEP)
    assert wait_until(lambda: "hello" in process.output.read_text())
    process.kill()


def test_memory_is_bounded(stage: "Stage") -> None:
    limits = Limits(memory=256 * MEBIBYTE)
    process = stage.start("x = bytearray(300 << 20)", limits=limits)
    assert process.wait(10) == 1
    assert "MemoryError" in process.output.read_text()


def test_processor_time_is_bounded(stage: "Stage") -> None:
    process = stage.start("while True: pass", limits=Limits(cpu_seconds=1))
    assert process.wait(15) != 0


def test_the_temporary_folder_is_private_and_goes_away(stage: "Stage") -> None:
    if stage.layer.name != "strict":
        pytest.skip("only bubblewrap gives a folder to write to")
    process = stage.start("open('/tmp/mine', 'w').write('x'); print(open('/tmp/mine').read())")
    assert process.wait(10) == 0
    assert process.output.read_text() == "x\n"
    assert not Path("/tmp/mine").exists()


def test_a_program_that_does_not_exist_is_named(stage: "Stage") -> None:
    process = launch(
        ["no-such-program"],
        layer=stage.layer,
        bot_dir=stage.bot,
        referee_socket=stage.socket,
        env={},
        stderr_path=stage.folder / "output",
    )
    assert process.wait(10) != 0
    assert "'no-such-program' could not be started" in process.output.read_text()


def test_without_a_sandbox_nothing_starts_by_itself(stage: "Stage") -> None:
    with pytest.raises(SandboxError, match="none here") as caught:
        launch(
            ["python"],
            layer=Layer("none", "none here"),
            bot_dir=stage.bot,
            referee_socket=stage.socket,
            env={},
            stderr_path=stage.folder / "output",
        )
    assert caught.value.reason == "NO_SANDBOX"


def test_bare_bots_get_a_clean_environment_and_die_too(stage: "Stage") -> None:
    os.environ["KIBITZ_TEST_SECRET"] = "x"
    try:
        stage.layer = Layer("none", "for the test")
        process = stage.start("import os; print('KIBITZ_TEST_SECRET' in os.environ)\n" + SLEEP)
    finally:
        del os.environ["KIBITZ_TEST_SECRET"]
    assert wait_until(lambda: process.output.read_text() == "False\n")
    process.kill()
    assert not running(str(stage.bot))


def test_a_missing_socket_is_named(stage: "Stage") -> None:
    stage.socket.unlink()
    with pytest.raises(SandboxError, match=r"referee\.sock") as caught:
        stage.start(SLEEP)
    assert caught.value.reason == "NO_SOCKET"


def test_a_folder_that_every_bot_could_read_is_refused(stage: "Stage") -> None:
    with pytest.raises(SandboxError, match="every bot can read") as caught:
        launch(
            ["python"],
            layer=stage.layer,
            bot_dir=Path(sys.prefix) / "lib",
            referee_socket=stage.socket,
            env={},
            stderr_path=stage.folder / "output",
        )
    assert caught.value.reason == "DATA_EXPOSED"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, whose bots are other users")
def test_a_closed_data_folder_is_named(tmp_path: Path) -> None:
    closed = tmp_path / "data"
    (closed / "bot").mkdir(parents=True)
    closed.chmod(0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(closed / "bots.sock"))
        with pytest.raises(SandboxError, match="chmod o\\+x") as caught:
            launch(
                ["python"],
                layer=Layer("landlock", "for the test"),
                bot_dir=closed / "bot",
                referee_socket=closed / "bots.sock",
                env={},
                stderr_path=tmp_path / "output",
            )
    assert caught.value.reason == "DATA_HIDDEN"


def test_probe_is_remembered() -> None:
    assert probe() is probe()
