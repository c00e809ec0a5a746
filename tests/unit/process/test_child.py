# SPDX-License-Identifier: MIT
"""Children: bare, talkative only through the pipe, and missed when they are gone."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.work import CancelToken
from memory_gui.process.child import (
    WORKERS,
    Child,
    ChildFailed,
    ChildGone,
    ChildSilent,
    command,
)

ECHO = "def handle(message, reply): return message"


@pytest.fixture
def start(tmp_path: Path):
    """Start a worker whose ``handle`` is given as code."""
    started: list[Child] = []

    def run(code: str, environment: dict[str, str] | None = None) -> Child:
        script = tmp_path / f"worker{len(started)}.py"
        script.write_text(
            "import os, sys, time, json\n"
            "from memory_gui.domain.errors import UserError, Cancelled\n"
            "from memory_gui.process.worker import serve\n"
            f"{textwrap.dedent(code)}\nserve(handle)\n",
            encoding="utf-8",
        )
        child = Child("probe", [sys.executable, "-I", str(script)], environment or {}, loud=True)
        started.append(child)
        return child

    yield run
    for child in started:
        child.kill()
        child.close()


def test_answers_come_back_as_they_went(start):
    child = start(ECHO)
    for message in ({"text": "Zürich 记忆\n\0 \U0001f600"}, {"n": [1, 2.5, None, True]}, {}):
        assert child.ask(message, 20) == message


def test_a_message_larger_than_a_pipe(start):
    text = "记" * 1_000_000
    assert start(ECHO).ask({"text": text}, 30) == {"text": text}


def test_half_a_surrogate_travels(start):
    assert start(ECHO).ask({"text": "\udcff"}, 20) == {"text": "\udcff"}


def test_progress_comes_before_the_answer(start):
    child = start(
        """
        def handle(message, reply):
            reply({"tick": ["step.copy", 1, 2]})
            reply({"tick": ["step.copy", 2, 2]})
            return {"done": True}
        """
    )
    seen: list[tuple[str, int, int]] = []
    answer = child.ask({}, 20, tick=lambda *step: seen.append(step))
    assert answer == {"done": True}
    assert seen == [("step.copy", 1, 2), ("step.copy", 2, 2)]


def test_a_user_error_travels_with_its_code_and_parameters(start):
    child = start(
        """
        from pathlib import Path
        def handle(message, reply):
            raise UserError("store.locked", path=Path("/a b"), n=3, names=("x",))
        """
    )
    with pytest.raises(UserError) as caught:
        child.ask({}, 20)
    assert caught.value.code == "store.locked"
    assert caught.value.params == {"path": "/a b", "n": 3, "names": "('x',)"}
    with pytest.raises(UserError):
        child.ask({}, 20)  # it lives on


def test_cancelled_travels(start):
    with pytest.raises(Cancelled):
        start("def handle(m, r): raise Cancelled").ask({}, 20)


def test_a_bug_travels_without_its_text(start):
    child = start("def handle(m, r): raise ValueError('secret of a person')")
    with pytest.raises(ChildFailed) as caught:
        child.ask({}, 20)
    assert caught.value.kind == "ValueError"
    assert "worker0.py" in caught.value.where[0]
    assert "secret" not in str(caught.value)


def test_a_killed_child_is_gone(start):
    child = start("def handle(m, r): time.sleep(60)")
    child.send({})
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(ChildGone) as caught:
        child.receive(20)
    assert caught.value.code == "process.gone"
    assert caught.value.exit_code == -signal.SIGKILL
    with pytest.raises(ChildGone):
        child.receive(20)  # and stays so
    with pytest.raises(ChildGone):
        child.send({})


def test_half_a_line_is_a_gone_child(start):
    child = start(
        """
        def handle(message, reply):
            for number in range(3, 64):
                try: os.write(number, b'\\x1e{"half": tr')
                except OSError: continue
            os._exit(1)
        """
    )
    with pytest.raises(ChildGone):
        child.ask({}, 20)


def test_a_program_that_cannot_start_is_gone(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/program")
    with pytest.raises(ChildGone):
        Child.start("prover")


def test_silence_has_an_end_and_the_child_lives(start):
    child = start("def handle(m, r):\n    time.sleep(m['s'])\n    return {'slept': m['s']}")
    child.send({"s": 0})
    assert child.receive(20) == {"slept": 0}
    child.send({"s": 1.0})
    with pytest.raises(ChildSilent) as caught:
        child.receive(0.1)
    assert caught.value.code == "process.silent"
    assert child.receive(20) == {"slept": 1.0}


def test_progress_counts_as_a_sign_of_life(start):
    child = start(
        """
        def handle(m, r):
            for n in range(9):
                time.sleep(0.2)
                r({"tick": ["x", n, 9]})
            return {}
        """
    )
    child.send({})
    child.receive(20)  # started: from here on silence is counted
    assert child.ask({}, 1.6) == {}


def test_cancel_kills_at_once(start):
    child, token = start("def handle(m, r): time.sleep(60)"), CancelToken()
    threading.Timer(0.3, token.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        child.ask({}, 60, cancel=token)
    assert time.monotonic() - began < 30
    assert child.wait(20) == -signal.SIGKILL


def test_stray_prints_do_not_break_the_protocol(start):
    child = start(
        """
        print("while importing", flush=True)
        print("and without an end", end="", flush=True)
        def handle(message, reply):
            print("stray"); sys.stdout.flush()
            os.write(1, b"raw stray\\n")
            os.system("echo from a grandchild")
            return {"ok": 1, "stdin": sys.stdin.read()}
        """
    )
    assert child.ask({}, 20) == {"ok": 1, "stdin": ""}
    assert child.ask({}, 20) == {"ok": 1, "stdin": ""}


LOOK = """
import resource
def handle(message, reply):
    fds = {n: os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
           if os.path.exists(f"/proc/self/fd/{n}")}
    return {"env": dict(os.environ), "cwd": os.getcwd(), "argv": sys.orig_argv, "fds": fds,
            "core": resource.getrlimit(resource.RLIMIT_CORE), "flags": sys.flags.isolated,
            "umask": os.umask(0), "session": os.getsid(0), "pid": os.getpid(),
            "path": sys.path}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_child_is_bare(start, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMORY_GUI_PROBE", "must not arrive")
    held = os.open(tmp_path, os.O_RDONLY)
    os.set_inheritable(held, True)
    try:
        child = start(LOOK, {"HOME": "/given"})
        seen = child.ask({}, 20)
    finally:
        os.close(held)
    assert seen["env"].pop("OPENBLAS_NUM_THREADS") == "1"  # which our package says to itself
    assert seen["env"] == {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/given"}
    assert seen["cwd"] == "/"
    assert seen["flags"] == 1
    assert seen["core"] == [0, 0]
    assert seen["umask"] == 0o077
    assert seen["session"] == seen["pid"] == child.pid
    assert str(tmp_path) not in seen["fds"].values()
    assert (seen["fds"]["0"], seen["fds"]["1"]) == ("/dev/null", "/dev/null")
    kinds = [link.split(":")[0] for link in seen["fds"].values()]
    assert kinds.count("pipe") <= 3  # in, out, and stderr that this test lets through
    assert not [entry for entry in seen["path"] if entry in {"", str(tmp_path)}]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_keys_are_not_in_argv_or_environment(start):
    secret = "f00d" * 16
    child = start("def handle(m, r):\n    return {'n': len(m['key'])}")
    assert child.ask({"key": secret}, 20) == {"n": 64}
    for name in ("cmdline", "environ"):
        assert secret.encode() not in Path(f"/proc/{child.pid}/{name}").read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="prctl")
def test_others_cannot_read_its_memory(start, ordinary_user):
    """Not even the same user: ``PR_SET_DUMPABLE`` is 0, so /proc/<pid>/mem belongs to root."""
    code = (
        "import os, pathlib\nfrom memory_gui.process.sealing import seal\nseal()\n"
        "print(pathlib.Path('/proc/self/mem').stat().st_uid)"
    )
    assert ordinary_user.python(code).strip() == "0"
    plain = "import pathlib; print(pathlib.Path('/proc/self/mem').stat().st_uid)"
    assert ordinary_user.python(plain).strip() == str(ordinary_user.uid)


def test_work_goes_on_when_the_parent_is_gone(tmp_path):
    mark, worker = tmp_path / "finished", tmp_path / "worker.py"
    worker.write_text(
        "import time\nfrom memory_gui.process.worker import serve\n"
        "def handle(message, reply):\n"
        "    for n in range(5):\n"
        "        time.sleep(0.1)\n"
        "        reply({'tick': ['x', n, 5]})\n"
        "    open(message['mark'], 'w').close()\n"
        "    return {}\n"
        "serve(handle)\n"
    )
    parent = (
        "import os, sys\nfrom memory_gui.process.child import Child\n"
        "child = Child('probe', [sys.executable, '-I', sys.argv[1]], {})\n"
        "child.send({'mark': sys.argv[2]})\nchild.receive(20)\nprint(child.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", parent, str(worker), str(mark)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) > 0
    assert not mark.exists()
    limit = time.monotonic() + 60
    while not mark.exists() and time.monotonic() < limit:
        time.sleep(0.05)
    assert mark.exists()


def test_close_ends_an_idle_child(start):
    child = start(ECHO)
    child.ask({}, 20)
    child.close()
    assert child.wait(0) == 0


def test_leaving_by_an_error_kills(start):
    child = start("def handle(m, r): time.sleep(60)")
    with pytest.raises(UserError), child:
        child.receive(0)  # ChildSilent
    assert child.wait(0) == -signal.SIGKILL


def test_the_command_of_a_worker(monkeypatch):
    for name, module in WORKERS.items():
        assert command(name) == [sys.executable, "-I", "-m", module]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert command("prover") == [sys.executable, "--worker", "prover"]


def test_a_worker_needs_nothing_but_the_standard_library():
    """The child's side itself loads no heavy module, so a worker starts quickly."""
    code = (
        "import sys, memory_gui.process.worker\n"
        "print([m for m in ('sqlcipher3', 'keyring', 'cryptography', 'PySide6', 'babel', 'psutil')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.replace("'", '"')) == []


@pytest.mark.parametrize("name", sorted(WORKERS))
def test_each_worker_starts_and_ends(name):
    with Child.start(name) as child:
        assert child.wait(1.0) is None  # it waits for a message
        child.close(20)
        assert child.wait(0) == 0
    code = f"from memory_gui.process.worker import run_worker; run_worker({name!r})"
    done = subprocess.run([sys.executable, "-I", "-c", code], input=b"", check=False, timeout=60)
    assert done.returncode == 0
