# SPDX-License-Identifier: MIT
"""The main job in the real window with a real keychain, seen and worked as a screen reader does.

Nothing of the program is imported; no coordinates are used.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from by_names import Window

pytestmark = pytest.mark.rig

DATA = Path(__file__).parents[1] / "data" / "agentao"
HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM memories").fetchone()
print("held", flush=True)
sys.stdin.read()
"""
SEAL = """
import sqlcipher3, sys
connection = sqlcipher3.connect(sys.argv[1])
connection.execute("ATTACH ? AS sealed KEY ?", (sys.argv[2], "correct horse"))
connection.execute("SELECT sqlcipher_export('sealed')")
"""
FORGET = """
import sys
from keyring.backends.SecretService import Keyring
Keyring().delete_password(sys.argv[1], "a")
"""


@pytest.fixture
def run(screen, tmp_path, request):
    """Starts the window with some arguments; a picture and the tree are kept when a test fails."""
    started = []

    def start(*arguments):
        command = [sys.executable, "-I", "-m", "memory_gui.app", *map(str, arguments)]
        environment = {**os.environ, "MEMORY_GUI_DATA": str(tmp_path / "data")}
        log = (tmp_path / "stderr").open("ab")
        program = subprocess.Popen(command, env=environment, stderr=log)
        started.append((program, log))
        return Window(screen(), program)

    yield start
    for program, log in started:
        program.terminate()
        try:
            program.wait(60)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait(60)
        log.close()
    told = (tmp_path / "stderr").read_text() if (tmp_path / "stderr").exists() else ""
    assert "Traceback" not in told, told


def test_find_edit_undo_trash_restore(run):
    it = run("--sample")
    everything = it.count()
    assert everything > 100
    it.search("three phones")
    it.list_is(1)
    it.keys("Down")
    it.says("detailText", "scanners")
    it.keys("F2")
    editor = it.window.find("text", id="editor.text")
    editor.type("The three phones are good scanners. 都可以。")
    it.keys("ctrl+Return")
    it.says("detailText", "都可以")
    it.keys("ctrl+z")
    it.says("detailText", "Tested three phones")
    it.window.find("table", "Records").focus()
    it.keys("Delete")
    it.list_is(0)
    it.view("Trash")
    it.list_is(1)
    it.window.find("table", "Records").select_row(0)
    it.part("detail.restore").press()
    it.list_is(0)
    it.view("Memories")
    it.list_is(1)
    it.search(" ")
    it.keys("ctrl+a", "BackSpace")
    it.list_is(everything)


def test_review_by_keys_then_erase_with_proof(run):
    it = run("--sample")
    it.count()
    it.view("Review")
    it.says("review.place", "1 of 9")
    it.window.find("text", id="review.text").focus()
    it.keys("j")
    it.says("review.place", "2 of 9")
    it.keys("r")
    it.says("review.place", "2 of 8")
    it.window.find("list item", re.compile(r"^Review, 8"))
    it.keys("k")
    it.says("review.place", "1 of 8")
    it.keys("a")
    it.says("review.place", "1 of 7")
    it.keys("z")
    it.says("review.place", re.compile("of 8"))
    it.keys("e")
    text = it.window.find("text", id="review.edit.text")
    text.type("Short answers, corrected by hand.")
    it.keys("ctrl+Return")
    it.says("review.place", re.compile("of 7"))
    it.view("Memories")
    it.search("corrected by hand")
    it.list_is(1)
    it.keys("Down")
    it.part("detail.erase").press()
    it.says("erase.lead", "1 record. This cannot be undone.")
    assert "focused" in it.part("erase.cancel").states
    it.part("erase.run").focus()
    it.keys("space")
    it.says("erase.result", "Proved gone", timeout=60)
    it.part("erase.receipt.show").press()
    receipt = it.window.find("text", "Receipt")
    assert "corrected by hand" not in receipt.text
    assert '"state": "proved"' in receipt.text
    it.part("erase.done").press()
    assert it.window.find("text", "Search").text == ""  # what was erased is not kept there either
    it.search("corrected by hand")
    it.list_is(0)


@pytest.fixture
def store(tmp_path):
    """A project's readable database, away from any other database of its agent."""
    project = tmp_path / "ginkgo"
    shutil.copytree(DATA / "project-ginkgo", project)
    return project / ".agentao" / "memory.db"


def encrypt(it, store):
    """Encrypt the one open store on its page."""
    it.menu("Health and encryption…")
    it.part("protect.encrypt").press()
    it.says("protect.afterwards2", "empty memory")
    it.window.find("text", id="protect.yes").type("yes")
    it.keys("Return")
    it.says("protect.banner.banner.text", "Encrypted", timeout=60)
    assert not store.read_bytes().startswith(b"SQLite format 3")
    it.part("protect.leave").press()


def test_an_encrypted_store_opens_locks_and_unlocks_with_the_keychain(run, store):
    it = run(store)
    everything = it.count()
    encrypt(it, store)
    it.list_is(everything)
    it.quit()

    it = run(store)  # no question: the key comes from the keychain
    it.list_is(everything)
    it.says("detail.title", re.compile(r"\S"))
    title = it.part("detail.title").text
    it.keys("ctrl+l")
    it.says("locked.heading", "Locked")
    it.says("locked.count", "1 store was closed.")
    tree = it.window.tree(showing=False)
    assert title not in tree
    assert "ginkgo" not in tree
    it.part("locked.unlock").press()
    it.list_is(everything)
    assert not it.shows("locked.heading")


def test_a_key_that_the_keychain_lost_has_its_own_page(run, store):
    it = run(store)
    it.count()
    encrypt(it, store)
    it.quit()
    salt = store.read_bytes()[:16].hex()
    command = [sys.executable, "-I", "-c", FORGET, f"memory-gui/{salt}"]
    assert subprocess.run(command, check=False, timeout=60).returncode == 0
    before = store.read_bytes()

    it = run(store)
    it.says("key.heading", "has no key for this store")
    for _ in range(2):
        it.window.find("password text", id="key.entry.line").type("0" * 64)
        it.keys("Return")
        it.says("key.entry.problem", re.compile(r"\S|\(not there\)"))
    it.says("key.stopped", "Two keys in a row")
    assert not it.shows("key.entry.line")
    assert store.read_bytes() == before


def test_what_another_program_holds_is_not_finished_and_then_is(run, store):
    it = run(store)
    before = it.count()
    it.window.find("table", "Records").select_row(0)
    title = it.part("detail.title").text
    command = [sys.executable, "-c", HOLD, store]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "held\n"
        it.part("detail.erase").press()
        it.says("erase.in_use.line0", f"(pid {holder.pid})")
        it.part("erase.run").press()
        it.says("erase.result", f"(pid {holder.pid}) has it open", timeout=60)
        assert "Proved" not in it.part("erase.result").text
        holder.stdin.close()
    it.part("erase.again").press()
    it.says("erase.result", re.compile("Proved gone|Not proved: still in"), timeout=60)
    it.part("erase.done").press()
    it.list_is(before - 1)
    assert it.part("detail.title").text != title


def test_a_database_of_another_program_opens_with_its_passphrase(run, store, tmp_path):
    sealed = tmp_path / "other" / ".agentao" / "memory.db"
    sealed.parent.mkdir(parents=True)
    subprocess.run([sys.executable, "-I", "-c", SEAL, store, sealed], check=True, timeout=60)
    it = run(sealed)
    it.says("key.heading", "never opened here")
    it.window.find("password text", id="key.entry.line").type("correct horse")
    it.keys("Return")
    assert it.count() > 5
    assert not it.shows("key.heading")


def test_a_recovery_key_is_made_confirmed_and_opens_the_store_without_the_keychain(run, store):
    it = run(store)
    everything = it.count()
    encrypt(it, store)
    it.menu("Health and encryption…")
    it.part("protect.recovery").press()
    it.says("recovery.state0", "No recovery key was made")
    it.part("recovery.show").press()
    it.says("recovery.sheet0.groups", re.compile(r"^\w{5} \w{5}"))
    paper = " ".join(it.part("recovery.sheet0.groups").text.split())
    it.part("recovery.enter").press()
    it.window.find("text", id="recovery.entry.line").type(paper.lower())
    it.keys("Return")
    it.says("recovery.banner.banner.text", "this paper opens the store")
    it.says("recovery.state0", "confirmed on")
    it.quit()
    salt = store.read_bytes()[:16].hex()
    command = [sys.executable, "-I", "-c", FORGET, f"memory-gui/{salt}"]
    assert subprocess.run(command, check=False, timeout=60).returncode == 0

    it = run(store)  # as on a computer whose keychain never had it
    it.says("key.heading", "has no key for this store")
    it.window.find("password text", id="key.entry.line").type(paper)
    it.keys("Return")
    it.list_is(everything)
    it.says("window.key.banner.text", "a key that you entered")
    it.window.find("push button", "Keep it in the keychain").press()
    it.says("window.key.banner.text", "opened the store from there")
    it.quit()

    it = run(store)
    it.list_is(everything)
