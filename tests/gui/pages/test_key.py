# SPDX-License-Identifier: MIT
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import (
    Absent,
    CipherSettings,
    Denied,
    Locked,
    Mismatch,
    Passphrase,
    Present,
    RawKey,
    Unavailable,
)
from memory_gui.services import KnownStore
from memory_gui.ui.pages.key import KeyPage
from memory_gui.ui.pages.key_moving import say_moved
from memory_gui.ui.pages.requests import KeyProblem, OpenRequest
from memory_gui.vault.recovery import recovery_text
from memory_gui.words import Words

PATH = "/home/ann/atlas/.agentao/memory.db"
CHAIN = "SecretService.Keyring"
RESULTS = {
    "absent": Absent(CHAIN),
    "locked": Locked(CHAIN),
    "denied": Denied(CHAIN),
    "unavailable": Unavailable(("no-bus:SecretService.Keyring",)),
    "mismatch": Mismatch(CHAIN, ("a",)),
    "foreign": Absent(CHAIN),
}
KNOWN = KnownStore(PATH, "atlas", "agentao", "2026-11-20T10:00:00+00:00")
KEY = RawKey(bytes(range(32)))


def problem(code="key.needed", path=PATH, reason="absent"):
    """What opening was told: the page asks nobody again."""
    if code != "key.needed":
        return KeyProblem(path, UserError(code, path=path))
    result = RESULTS.get(reason, Absent(CHAIN))
    why = {name: getattr(result, name) for name in ("backend", "reasons") if hasattr(result, name)}
    told = {"foreign": "absent"}.get(reason, reason)
    return KeyProblem(path, UserError(code, reason=told, path=path, **why))


@pytest.fixture
def key_page(fake, shown):
    def begin(reason="absent"):
        fake.library.key_result = RESULTS[reason]
        fake.library.known_stores = () if reason == "foreign" else (KNOWN,)
        page = shown(KeyPage, problem(reason=reason))
        page.asked = []
        page.go.connect(lambda name, argument: page.asked.append((name, argument)))
        return page

    return begin


def give(page, text):
    page.entry.line.setFocus()
    page.entry.line.setText(text)  # QTest types no Chinese
    QTest.keyClick(page.entry.line, Qt.Key.Key_Return)


def test_the_six_pages_say_six_different_things(fake, key_page, settled):
    page = key_page()
    said = []
    for reason in RESULTS:
        fake.library.known_stores = () if reason == "foreign" else (KNOWN,)
        page.show_for(problem(reason=reason))
        settled()
        said.append((page.heading.text(), page.cause.text(), page.next.text()))
        assert all(said[-1])
        assert page.entry.isVisible()
    for place in range(3):
        assert len({texts[place] for texts in said}) == 6


@pytest.mark.parametrize(
    ("reason", "retries"),
    [("absent", False), ("mismatch", False), ("foreign", False),
     ("locked", True), ("denied", True), ("unavailable", True)],
)  # fmt: skip
def test_asking_again_is_offered_where_it_can_help(key_page, reason, retries):
    page = key_page(reason)
    assert page.retry.isVisible() is retries
    if retries:
        assert page.retry.hasFocus()
        QTest.keyClick(page.retry, Qt.Key.Key_Space)
        assert page.asked == [("open", OpenRequest(PATH, None))]


def test_a_recovery_key_is_read_and_then_forgotten(key_page):
    page = key_page()
    assert page.entry.line.hasFocus()
    give(page, recovery_text(KEY).lower())
    (name, request) = page.asked[0]
    assert (name, request.path, request.key) == ("open", PATH, KEY)
    assert page.entry.line.text() == ""
    assert "KEY" not in repr(request)


def test_raw_hex_and_passphrase_are_taken_too(key_page):
    page = key_page()
    give(page, KEY.hex())
    assert page.asked[0][1].key == KEY
    page.entry.kind.setCurrentIndex(1)
    give(page, "correct horse 电池")
    key = page.asked[1][1].key
    assert isinstance(key, Passphrase)
    assert key.reveal() == "correct horse 电池"


def test_a_slip_in_the_recovery_key_is_named_without_trying_the_file(key_page):
    page = key_page()
    text = recovery_text(KEY).replace(" ", "")
    give(page, ("1" if text[0] != "1" else "2") + text[1:])
    assert not page.asked
    assert page.entry.problem.text()
    assert page.entry.line.text()


def test_what_is_typed_is_covered_until_it_is_asked_for(key_page):
    page = key_page()
    assert page.entry.line.echoMode() is QLineEdit.EchoMode.Password
    page.entry.show_typed.click()
    assert page.entry.line.echoMode() is QLineEdit.EchoMode.Normal


def test_two_refusals_in_a_row_stop_and_explain(key_page, settled):
    page = key_page()
    for _ in range(2):
        assert page.entry.isVisible()
        give(page, KEY.hex())
        page.show_for(problem("key.wrong"))
        settled()
    assert len(page.asked) == 2
    assert not page.entry.isVisible()
    assert not page.retry.isVisible()
    assert "Two keys in a row" in page.stopped.text()
    assert page.leave.hasFocus()
    page.show_for(problem("key.wrong"))  # arriving here again asks nothing by itself
    settled()
    assert len(page.asked) == 2


def test_another_try_is_the_persons_own_choice(key_page, settled):
    page = key_page()
    for _ in range(2):
        give(page, KEY.hex())
        page.show_for(problem("key.wrong"))
        settled()
    page.anew.click()
    assert page.entry.isVisible()
    give(page, KEY.hex())
    assert len(page.asked) == 3


def test_another_store_begins_anew(key_page, settled):
    page = key_page()
    give(page, KEY.hex())
    page.show_for(problem("key.wrong"))
    settled()
    assert page.refusals == 1
    page.show_for(problem(path="/other.db"))
    settled()
    assert page.refusals == 0


def test_after_the_lock_neither_path_nor_key_is_left(key_page):
    page = key_page()
    QTest.keyClicks(page.entry.line, "half a key")
    page.clear()
    assert page.entry.line.text() == ""
    assert page.path.text() == ""
    QTest.keyClick(QApplication.focusWidget() or page, Qt.Key.Key_Return)
    assert not page.asked


def test_a_key_that_turned_up_meanwhile_is_used_by_asking_again(fake, key_page, settled):
    page = key_page()
    fake.library.key_result = Present(RawKey(bytes(32)), "a", CHAIN)
    page.show_for(problem("key.wrong", "/other.db"))
    settled()
    assert page.retry.isVisible()
    assert "opens this store" in page.cause.text()


def test_for_a_foreign_database_a_passphrase_is_expected(key_page):
    page = key_page("foreign")
    give(page, "correct horse")
    assert isinstance(page.asked[0][1].key, Passphrase)


def test_the_keychain_is_not_asked_a_second_time(fake, key_page):
    """A person who closed its window would see it again at once."""
    for reason in RESULTS:
        fake.calls.clear()
        key_page(reason)
        assert not fake.called("key_state")


def test_our_own_list_is_looked_at_only_where_the_keychain_is_open(fake, key_page):
    """It is encrypted with a key from the keychain, so looking could ask the person again."""
    asked = []
    fake.library.known = lambda: asked.append(1) or ()
    for reason in ("locked", "denied", "unavailable", "mismatch"):
        key_page(reason)
    assert asked == []
    key_page("absent")
    assert asked == [1]


def test_what_asked_for_another_keychain_is_named(fake, key_page):
    fake.keychain.ignored = ("PYTHON_KEYRING_BACKEND=keyrings.alt.file.PlaintextKeyring",)
    page = key_page("locked")
    lines = [label.text() for label in page.details.findChildren(QLabel)]
    assert any("keyrings.alt.file.PlaintextKeyring" in line for line in lines)
    assert any("not listened to" in line for line in lines)


def test_asking_again_is_a_persons_own_wish(fake, key_page):
    page = key_page("locked")
    page.retry.click()
    assert fake.called("ask_again")


def test_waiting_for_the_keychain_can_be_given_up(fake, key_page, settled):
    page = key_page()
    closed = []
    page.closed.connect(lambda: closed.append(1))
    page.frame.stopped.emit()
    assert fake.called("cancel")
    assert closed == [1]


class TestOtherProgramsDatabases:
    def test_settings_are_hidden_until_they_are_wanted(self, key_page):
        page = key_page("foreign")
        assert not page.entry.settings.isVisible()
        page.entry.advanced.click()
        assert page.entry.settings.isVisible()

    def test_they_travel_with_the_key(self, key_page):
        page = key_page("foreign")
        fields = page.entry.settings
        page.entry.advanced.click()
        fields.version.setCurrentIndex(fields.version.findData("3"))
        fields.page.setCurrentIndex(fields.page.findData("2048"))
        fields.hmac.setCurrentIndex(fields.hmac.findData("sha256"))
        fields.kdf.setCurrentIndex(fields.kdf.findData("sha1"))
        fields.iterations.setText("64000")
        give(page, "correct horse")
        wanted = CipherSettings(3, 2048, 64000, "sha256", "sha1")
        assert page.asked[0][1].key.settings == wanted
        page.entry.kind.setCurrentIndex(0)
        give(page, KEY.hex())
        assert page.asked[1][1].key.settings == wanted

    @pytest.mark.parametrize(("iterations", "salt"), [("many", ""), ("", "12"), ("", "g" * 32)])
    def test_what_is_no_number_and_no_salt_is_said(self, key_page, iterations, salt):
        page = key_page("foreign")
        page.entry.advanced.click()
        page.entry.settings.iterations.setText(iterations)
        page.entry.settings.salt.setText(salt)
        give(page, "correct horse")
        assert not page.asked
        assert "salt has 32" in page.entry.problem.text()

    def test_a_readable_header_asks_for_the_salt_too(self, key_page, shown):
        page = shown(KeyPage, KeyProblem(PATH, UserError("key.needed", reason="half", path=PATH)))
        asked = []
        page.go.connect(lambda name, argument: asked.append(argument))
        assert "first bytes" in page.heading.text()
        assert page.entry.settings.isVisible()
        assert not page.retry.isVisible()
        give(page, KEY.hex() + "ab" * 16)
        assert asked[0].key.settings.salt == "ab" * 16


MOVED = ("not-there:kwallet.DBusKeyring: no dbus", "no-key:SecretService.Keyring")
REPLACED = ("moved:SecretService.Keyring: gnome-keyring-daemon → keepassxc",)


class TestTheKeychainThatMoved:
    @pytest.fixture
    def moved(self, shown):
        def begin(reasons=MOVED):
            error = UserError("key.needed", reason="unavailable", reasons=reasons, path=PATH)
            page = shown(KeyPage, KeyProblem(PATH, error))
            page.asked = []
            page.go.connect(lambda name, argument: page.asked.append((name, argument)))
            return page

        return begin

    def test_the_page_names_both_and_offers_to_move_the_key(self, moved, fake, settled):
        page = moved()
        assert "KWallet" in page.heading.text()
        assert "Secret Service" in page.heading.text()
        page.move_here.click()
        settled()
        assert fake.called("ask_again")
        assert fake.called("bring") == [[PATH, "kwallet.DBusKeyring", CHAIN]]
        ((name, done),) = page.asked
        assert name == "key_moved"
        assert done.brought.stores[0].info.path == PATH
        tone, text = say_moved(Words("en"), done)
        assert (tone, "taken out of KWallet" in text) == ("ok", True)

    @pytest.mark.parametrize(
        "reasons", [REPLACED, ("foreign:macOS.Keyring", MOVED[1]), ("silent",)]
    )
    def test_not_where_the_other_one_cannot_be_asked_here(self, moved, reasons):
        assert not moved(reasons).move_here.isVisible()

    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (UserError("keys.not_moved", reason="unavailable"), "KWallet does not answer"),
            (UserError("keys.not_moved", reason="mismatch"), "does not open this store"),
            (UserError("vault.locked"), "The keychain is locked"),
        ],
    )
    def test_what_did_not_work_is_said_and_may_be_tried_again(
        self, moved, fake, settled, error, said
    ):
        page = moved()
        fake.fail_next["bring"] = error
        page.move_here.click()
        settled()
        assert said in page.frame.banner.text
        assert page.move_here.hasFocus()
        assert not page.asked

    def test_an_entry_that_stayed_is_told(self, moved, fake, settled):
        fake.keys.stays = UserError("vault.not_removed", slot="a")
        page = moved()
        page.move_here.click()
        settled()
        tone, text = say_moved(Words("en"), page.asked[0][1])
        assert (tone, "still in KWallet, too" in text) == ("warn", True)

    def test_it_can_be_stopped_and_leaving_stops_it(self, moved, fake, settled):
        page = moved()
        fake.keys.waits.clear()
        page.move_here.click()
        assert page.frame.state == "busy"
        page.frame.stopped.emit()
        settled()
        assert fake.called("cancel")
        assert "Stopped. The key is still in KWallet." in page.frame.banner.text
        told = []
        page.told.connect(lambda *what: told.append(what))
        page.move_here.click()
        assert page.may_leave()
        page.hide()
        settled()
        assert [tone for tone, _ in told] == ["info"]
        assert not fake.called("bring")
        assert not page.asked
