# SPDX-License-Identifier: MIT
"""``key``, ``migrate``, keys by descriptor, and what is said without our own records."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest
import sqlcipher3

sys.path.insert(0, str(Path(__file__).parents[1] / "services"))

from keychains import SECRETS, WALLET

from memory_gui.domain.keys import Denied, Locked, RawKey, Unavailable
from memory_gui.engine.connection import open_database
from memory_gui.terminal import session as session_module
from memory_gui.terminal.session import Session
from memory_gui.vault.contract import service_of
from memory_gui.vault.recovery import recovery_text

KEY = RawKey(bytes(range(32)))
OTHER = RawKey(b"o" * 32)


@pytest.fixture
def encrypted(make):
    return make(KEY)


def call(terminal, verb, *arguments, **more):
    return terminal(*verb.split(), str(terminal.store), *arguments, **more)


def test_a_call_that_waits_for_the_keychains_password_says_so_once(
    encrypted, keychain, monkeypatch
):
    """Behind a prompt there is no time limit: in silence it would look as if the program hung."""

    def asked(*, on_prompt, **_):
        for can_be_open in (True, False, True, False):
            on_prompt(can_be_open)
        return keychain

    monkeypatch.setattr(session_module, "Keychain", asked)
    done = call(encrypted, "key info", "--json")
    assert done.err.count("The keychain asks for its password in a window of its own.") == 1
    assert json.loads(done.out)


class TestInfo:
    @pytest.mark.parametrize(
        ("answer", "result"),
        [
            (None, "absent"),
            (Locked(SECRETS), "locked"),
            (Denied(SECRETS), "denied"),
            (Unavailable(("silent",)), "unavailable"),
        ],
    )
    def test_each_result_has_its_own_words_and_ends_3(self, encrypted, keychain, answer, result):
        if answer is not None:
            keychain.answers[SECRETS] = answer
        done = call(encrypted, "key info", "--json")
        assert done.status == 3
        assert (done.json["result"], done.json["opened"]) == (result, False)
        said = call(encrypted, "key info")
        assert said.status == 3
        assert "recovery key" in said.out

    def test_a_key_of_another_file_is_a_mismatch(self, encrypted, keychain):
        service = service_of(encrypted.store.read_bytes()[:16])
        keychain.entries[SECRETS, service, "a"] = OTHER
        done = call(encrypted, "key info", "--json")
        assert (done.status, done.json["result"]) == (3, "mismatch")

    def test_the_one_that_opens_it_ends_0_and_tells_of_the_paper(self, encrypted, keychain):
        service = service_of(encrypted.store.read_bytes()[:16])
        keychain.entries[SECRETS, service, "b"] = KEY
        done = call(encrypted, "key info", "--json")
        assert done.status == 0
        assert done.json["result"] == "present"
        assert done.json["recovery"]["state"] == "none"
        assert KEY.hex() not in done.out

    def test_a_readable_store_has_none(self, terminal):
        done = call(terminal, "key info", "--no-keychain", "--json")
        assert (done.status, done.json["encrypted"]) == (0, False)


class TestRecovery:
    def test_it_is_never_printed_to_anything_but_a_terminal(self, encrypted, keychain):
        for more in ((), ("--json",)):
            done = encrypted("key", "recovery", str(encrypted.store), *more, *encrypted.with_key())
            assert done.status == 6
            assert recovery_text(KEY)[:5] not in done.out + done.err

    def test_it_goes_to_a_file_that_only_the_owner_reads(self, encrypted, keychain, tmp_path):
        out = tmp_path / "paper.txt"
        done = call(encrypted, "key recovery", "--out", str(out), "--json", *encrypted.with_key())
        assert done.status == 0, done.out
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
        text = out.read_text()
        words = " ".join(text.split())
        assert recovery_text(KEY) in words
        assert recovery_text(KEY)[:5] not in done.out
        assert done.json["recovery"]["state"] == "made"
        again = call(encrypted, "key recovery", "--out", str(out), *encrypted.with_key())
        assert again.status == 1
        assert out.read_text() == text

    def test_a_link_is_not_followed(self, encrypted, keychain, tmp_path):
        (tmp_path / "link").symlink_to(tmp_path / "victim")
        done = call(
            encrypted, "key recovery", "--out", str(tmp_path / "link"), *encrypted.with_key()
        )
        assert done.status == 1
        assert not (tmp_path / "victim").exists()

    def test_it_is_confirmed_by_what_comes_back(self, encrypted, keychain, behind, tmp_path):
        out = str(tmp_path / "paper.txt")
        call(encrypted, "key recovery", "--out", out, *encrypted.with_key())
        wrong = call(
            encrypted,
            "key recovery",
            "--confirm-fd",
            str(behind(recovery_text(OTHER))),
            *encrypted.with_key(),
        )
        assert wrong.status == 3
        slip = "X" + recovery_text(KEY)[1:]
        assert (
            call(
                encrypted, "key recovery", "--confirm-fd", str(behind(slip)), *encrypted.with_key()
            ).status
            == 3
        )
        done = call(
            encrypted,
            "key recovery",
            "--confirm-fd",
            str(behind(recovery_text(KEY))),
            "--json",
            *encrypted.with_key(),
        )
        assert (done.status, done.json["recovery"]["state"]) == (0, "confirmed")
        info = call(encrypted, "key info", "--json", *encrypted.with_key())
        assert info.json["recovery"]["state"] == "confirmed"

    def test_it_opens_the_store_on_a_computer_without_its_key(self, encrypted, keychain, behind):
        text = recovery_text(KEY).lower().replace(" ", "-")
        done = call(encrypted, "list", "--no-keychain", "--json", "--key-fd", str(behind(text)))
        assert (done.status, done.json["total"]) == (0, 3)
        kept = call(encrypted, "key import", "--json", "--key-fd", str(behind(text)))
        assert (kept.status, kept.json["keychain"]) == (0, SECRETS)
        assert call(encrypted, "list").status == 0


class TestKeysByDescriptor:
    @pytest.mark.parametrize("digits", [63, 65, 0])
    def test_other_numbers_of_digits_are_refused(self, encrypted, behind, digits):
        done = call(encrypted, "list", "--no-keychain", "--key-fd", str(behind("a" * digits)))
        assert done.status == 3

    def test_a_slip_in_a_recovery_key_is_named(self, encrypted, behind):
        text = recovery_text(KEY)
        slip = text[:6] + ("2" if text[6] != "2" else "3") + text[7:]
        done = call(encrypted, "list", "--no-keychain", "--json", "--key-fd", str(behind(slip)))
        assert done.status == 3
        assert done.json["error"]["code"] == "recovery.group"
        assert done.json["error"]["params"] == {"group": 2}

    def test_settings_of_another_program(self, terminal, behind, tmp_path):
        old = tmp_path / "old/.agentao/memory.db"
        old.parent.mkdir(parents=True)
        _recipher(terminal.store, old, "cipher_hmac_algorithm = HMAC_SHA256", "kdf_iter = 1000")
        given = ("--no-keychain", "--json", "--passphrase-fd")
        assert terminal("list", str(old), *given, str(behind("words"))).status == 3
        done = terminal(
            "list", str(old), "--cipher-settings", "hmac=sha256,iterations=1000",
            *given, str(behind("words")),
        )  # fmt: skip
        assert (done.status, done.json["total"]) == (0, 3)
        for wrong in ("page=1000", "x=1", "hmac=md5", "salt=zz"):
            done = terminal(
                "list", str(old), "--cipher-settings", wrong, *given, str(behind("words"))
            )
            assert done.status == 2, wrong

    def test_migrate_makes_a_copy_that_opens_by_itself(self, terminal, behind, tmp_path):
        old, out = tmp_path / "old/.agentao/memory.db", tmp_path / "new.db"
        old.parent.mkdir(parents=True)
        _recipher(terminal.store, old, "cipher_compatibility = 2")
        before = old.read_bytes()
        done = terminal(
            "migrate", str(old), str(out), "--no-keychain", "--json",
            "--passphrase-fd", str(behind("words")),
        )  # fmt: skip
        assert done.status == 0, done.out
        assert old.read_bytes() == before
        done = terminal(
            "list", str(out), "--no-keychain", "--json", "--cipher", "4",
            "--passphrase-fd", str(behind("words")),
        )  # fmt: skip
        assert (done.status, done.json["total"]) == (0, 3)

    @pytest.mark.parametrize(("version", "status"), [(1, 6), (2, 0), (3, 0)])
    def test_what_cannot_be_proved_is_not_begun(self, terminal, behind, tmp_path, version, status):
        old = tmp_path / "old/.agentao/memory.db"
        old.parent.mkdir(parents=True)
        _recipher(terminal.store, old, f"cipher_compatibility = {version}")
        given = ("--no-keychain", "--json", "--passphrase-fd")
        done = terminal(
            "erase", str(old), "00000001", "--yes", "--keep-key", *given, str(behind("words"))
        )
        assert done.status == status, done.out
        left = terminal("list", str(old), *given, str(behind("words"))).json["total"]
        assert left == (2 if status == 0 else 3)
        if status:
            assert done.json["error"]["code"] == "store.no_page_checks"


def _recipher(plain: Path, out: Path, *pragmas: str) -> None:
    raw = sqlcipher3.connect(str(out), isolation_level=None)
    raw.set_key("words")
    for pragma in pragmas:
        raw.execute(f"PRAGMA {pragma}").fetchall()
    with open_database(plain, None, write=False) as source:
        for kind, name, _table, sql in source.schema():
            if sql and kind == "table" and not name.startswith(("sqlite_", "memories_fts_")):
                raw.execute(sql)
        for kind, _name, _table, sql in source.schema():
            if sql and kind != "table":
                raw.execute(sql)
        for row in source.execute("SELECT * FROM memories"):
            marks = ", ".join("?" * len(row))
            raw.execute(f"INSERT INTO memories VALUES ({marks})", row)
        for row in source.execute("SELECT * FROM meta") if _has(source, "meta") else ():
            raw.execute(f"INSERT OR REPLACE INTO meta VALUES ({', '.join('?' * len(row))})", row)
    raw.close()


def _has(source, table: str) -> bool:
    return any(name == table for _kind, name, _t, _sql in source.schema())


class TestForgettingAndMoving:
    def test_a_key_that_would_be_lost_stays(self, encrypted, keychain):
        service = service_of(encrypted.store.read_bytes()[:16])
        keychain.entries[SECRETS, service, "a"] = KEY
        done = call(encrypted, "key forget", "--yes")
        assert done.status == 6
        assert (SECRETS, service, "a") in keychain.entries
        done = call(encrypted, "key forget", "--yes", "--json", *encrypted.with_key())
        assert (done.status, done.json["removed"]) == (0, ["a"])

    def test_a_key_moves_to_the_keychain_of_today(self, encrypted, keychain):
        service = service_of(encrypted.store.read_bytes()[:16])
        keychain.here = [WALLET]
        assert call(encrypted, "key import", *encrypted.with_key()).status == 0
        assert call(encrypted, "stores list").status == 0
        keychain.here = [WALLET, SECRETS]
        done = call(encrypted, "key import", "--to", "secret-service", "--json")
        assert (done.status, done.json["keychain"]) == (0, SECRETS)
        assert {b for b, name, _s in keychain.entries if name == service} == {SECRETS}


class TestWithoutOurOwnRecords:
    def test_stores_list_says_why_on_standard_error_and_in_json(self, terminal):
        done = terminal("stores", "list", "--no-keychain")
        assert done.status == 0
        assert "keeps no records" in done.err
        assert "keeps no records" not in done.out
        data = json.loads(terminal("stores", "list", "--no-keychain", "--json").out)
        assert data["ledger"]["state"] == "off"
        assert "keychain" in data["ledger"]["text"]

    def test_with_them_nothing_is_said(self, terminal, keychain):
        done = terminal("stores", "list", "--json")
        assert "ledger" not in done.json
        assert done.err == ""

    def test_a_closed_keychain_is_told_from_one_that_is_off(self, terminal, keychain):
        terminal("stores", "list")
        keychain.answers[SECRETS] = Locked(SECRETS)
        data = terminal("stores", "list", "--json").json
        assert data["ledger"]["state"] == "key"


def test_the_key_is_in_no_error_and_no_traceback(encrypted, behind, monkeypatch):
    """Also where a bug is told: places and types, nothing of what they worked with."""
    monkeypatch.setattr(Session, "open", lambda self, **_: 1 / 0 if self.key() else None)
    done = call(encrypted, "list", "--no-keychain", "--json", *encrypted.with_key())
    assert done.status == 1
    assert KEY.hex() not in done.out + done.err
    assert "ZeroDivisionError" in done.out
    assert os.environ.get("MEMORY_GUI_KEY") is None
