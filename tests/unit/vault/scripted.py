# SPDX-License-Identifier: MIT
"""A keychain over helpers that answer from a script."""

import queue
import threading
import time

from memory_gui.domain.keys import RawKey
from memory_gui.process.child import ChildGone, ChildSilent
from memory_gui.vault.keychain import Keychain

SALT = bytes(range(16))
KEY = RawKey(b"k" * 32)
NOTHING = object()  # the helper does not answer


class Scripted:
    """A helper that answers each question from a script: a list of messages per question."""

    def __init__(self, *script) -> None:
        self.script = list(script)
        self.said = queue.SimpleQueue()
        self.asked = []
        self.killed = False
        self.closed = False
        self.terminated = False
        self.stubborn = False

    def send(self, message):
        if self.killed:
            raise ChildGone("keychain")
        if message["op"] == "hello":
            self.said.put({"hello": 1})
            return
        self.asked.append(message)
        for answer in self.script.pop(0):
            if answer is not NOTHING:
                self.said.put(answer)

    def receive(self, timeout=None):
        try:
            answer = self.said.get(timeout=timeout)
        except queue.Empty:
            raise ChildSilent("keychain", timeout) from None
        if answer is None:
            raise ChildGone("keychain")
        if isinstance(answer, Exception):
            raise answer
        return answer

    def wait(self, timeout=None):
        return -9 if self.killed else None

    def kill(self):
        self.killed = True
        self.said.put(None)

    def terminate(self):
        self.terminated = True
        if not self.stubborn:
            self.kill()

    def close(self, grace=5.0):
        self.closed = True


def keychain(*helpers, limit=0.2, **more):
    left = list(helpers)
    return Keychain(environment={}, limit=limit, start=lambda _: left.pop(0), **more)


PRESENT = {"result": "present", "backend": "K", "slots": {"a": KEY.hex()}}
ABSENT = {"result": "absent", "backend": "K"}


def in_thread(function):
    outcome = queue.SimpleQueue()

    def run():
        try:
            outcome.put(function())
        except BaseException as error:
            outcome.put(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, outcome


class Turn:
    """The lock of a keychain, which tells how many have come to it and do not have it yet."""

    def __init__(self):
        self._lock = threading.Lock()
        self.waiting = []

    def __enter__(self):
        self.waiting.append(threading.get_ident())
        self._lock.acquire()
        self.waiting.remove(threading.get_ident())

    def __exit__(self, *_error):
        self._lock.release()


def until(true):
    limit = time.monotonic() + 60
    while not true():
        assert time.monotonic() < limit
        time.sleep(0.005)
