# SPDX-License-Identifier: MIT
"""The recovery page: shown when asked for, kept where wanted, believed when it came back."""

import stat

import pytest
from PySide6.QtCore import Qt
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.services.keys.recovery import PASSPHRASE, RecoveryState
from memory_gui.ui.fonts import scaled
from memory_gui.ui.pages.recovery import RecoveryPage
from memory_gui.ui.pages.recovery_save import PDF, TEXT, write_sheets
from memory_gui.ui.pdf import recovery_pdf
from memory_gui.vault.recovery import recovery_text
from memory_gui.words import Words

OTHER = RawKey(b"o" * 32)


@pytest.fixture
def stores(fake):
    return list(fake.library.opened)


@pytest.fixture
def page(shown, stores):
    return shown(RecoveryPage, stores[0])


def texts(page) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel))


def in_widgets(page, text) -> bool:
    """Whether any widget still holds a piece of it."""
    lines = [line.text() for line in page.findChildren(QLineEdit)]
    held = texts(page) + "\n".join(lines)
    return any(group in held for group in text.split())


def test_nothing_is_shown_before_it_is_asked_for(page, fake, stores):
    assert not fake.called("make")
    assert not in_widgets(page, recovery_text(fake.recovery.key(stores[0])))
    assert page.show_key.isVisible()
    for button in (page.print, page.pdf, page.text, page.enter):
        assert not button.isVisible()


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_no_group_is_cut_where_letters_are_large(page, settled, qapp, percent):
    """A key that was copied from half a line opens nothing."""
    usual = qapp.font()
    page.resize(700, 600)
    try:
        qapp.setFont(scaled(usual, usual.pointSizeF() * percent / 100))
        page.show_key.click()
        settled()
        (view,) = page.sheets.views
        shown = view.groups
        assert shown.width() >= shown.sizeHint().width()
        right = shown.mapTo(page, shown.rect().topRight()).x()
        assert right < page.width()
    finally:
        qapp.setFont(usual)


def test_it_is_shown_whole_and_cannot_be_copied(page, fake, stores, settled):
    page.show_key.click()
    settled()
    (view,) = page.sheets.views
    assert " ".join(view.groups.text().split()) == recovery_text(fake.recovery.key(stores[0]))
    flags = view.groups.textInteractionFlags()
    assert not flags & Qt.TextInteractionFlag.TextSelectableByMouse
    assert not flags & Qt.TextInteractionFlag.TextSelectableByKeyboard
    for button in (page.print, page.pdf, page.text, page.enter):
        assert button.isVisible()


def test_one_sheet_may_carry_several_stores(page, fake, stores, settled):
    assert page.stores.chosen == (stores[0],)
    for box in page.stores._boxes:
        box.setChecked(True)
    page.show_key.click()
    settled()
    assert [args for (args,) in fake.called("make")] == stores[:2]
    assert len(page.sheets.views) == 2


def test_it_goes_from_the_screen_before_it_is_entered(page, fake, stores, settled):
    text = recovery_text(fake.recovery.key(stores[0]))
    page.show_key.click()
    settled()
    page.enter.click()
    settled()
    assert not in_widgets(page, text)
    assert page.window().focusWidget() is page.entry.line


def enter(page, settled, text):
    page.entry.line.setText(text)
    page.entry.confirm.click()
    settled()


def test_it_is_confirmed_by_what_comes_back(page, fake, stores, settled):
    text = recovery_text(fake.recovery.key(stores[0]))
    page.show_key.click()
    settled()
    page.enter.click()
    enter(page, settled, text[:-1])
    assert "group 14" in page.entry.problem.text().lower()
    assert not fake.called("confirm")
    enter(page, settled, recovery_text(OTHER))
    assert "not of a store" in page.entry.problem.text()
    assert not fake.recovery.state(stores[0]).recoverable
    enter(page, settled, text.lower())
    assert fake.recovery.state(stores[0]).recoverable
    assert "opens the store" in page.frame.banner.text
    assert not page.entry.isVisible()
    assert not in_widgets(page, text)


def test_with_several_it_goes_on_until_each_was_seen(page, fake, stores, settled):
    for box in page.stores._boxes:
        box.setChecked(True)
    page.show_key.click()
    settled()
    page.enter.click()
    enter(page, settled, recovery_text(fake.recovery.key(stores[1])))
    assert "next one" in page.frame.banner.text
    assert page.entry.isVisible()
    enter(page, settled, recovery_text(fake.recovery.key(stores[0])))
    assert not page.entry.isVisible()


@pytest.mark.parametrize("kind", [PDF, TEXT])
def test_it_is_saved_for_its_owner_alone(page, fake, stores, settled, tmp_path, kind):
    page.show_key.click()
    settled()
    page.saver._sheets, page.saver._kind = page._sheets, kind
    out = tmp_path / f"paper.{kind}"
    page.saver.write(str(out))
    settled()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert str(out) in page.frame.banner.text
    before = out.read_bytes()
    page.saver.write(str(out))
    settled()
    assert out.read_bytes() == before
    assert "already a file" in page.frame.banner.text


def test_the_text_and_the_pdf_hold_every_group(page, fake, stores, settled, tmp_path):
    page.show_key.click()
    settled()
    text = write_sheets(Words("zh_CN"), page._sheets, TEXT, tmp_path / "paper.txt").read_text()
    for group in recovery_text(fake.recovery.key(stores[0])).split():
        assert group in text
    assert "恢复密钥" in text
    pdf = recovery_pdf(Words("en"), page._sheets)
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 5_000


def test_a_saved_file_follows_no_link(page, settled, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    page.show_key.click()
    settled()
    with pytest.raises(UserError, match=r"recovery\.exists"):
        write_sheets(Words(), page._sheets, TEXT, tmp_path / "link")
    assert not (tmp_path / "victim").exists()


def test_after_the_lock_no_key_is_left(page, fake, stores, settled):
    text = recovery_text(fake.recovery.key(stores[0]))
    page.show_key.click()
    settled()
    page.clear()
    settled()
    assert not in_widgets(page, text)
    assert page._sheets == ()
    assert page.saver._sheets == ()
    page.enter.click()
    QTest.keyClicks(page.entry.line, text[:20])
    page.clear()
    assert not in_widgets(page, text[:17])


def test_a_key_that_arrives_after_the_lock_is_not_shown(page, fake, stores, settled):
    page.show_key.click()
    page.clear()
    settled()
    assert page.sheets.views == []


def test_a_store_with_a_passphrase_says_why_it_has_none(shown, fake, stores):
    fake.recovery.states[stores[0]] = RecoveryState(PASSPHRASE)
    page = shown(RecoveryPage, stores[0])
    assert page.frame.state == "error"


def test_another_language_keeps_what_is_shown(page, context, fake, stores, settled):
    page.show_key.click()
    settled()
    context.words.use("zh_CN")
    page.retranslate()
    assert "恢复密钥" in page.frame.title.text()
    assert in_widgets(page, recovery_text(fake.recovery.key(stores[0])))


def test_printing_to_a_file_makes_no_file_that_others_read(page, fake, stores, settled, tmp_path):
    page.show_key.click()
    settled()
    out = tmp_path / "printed.pdf"
    page.saver._sheets = page._sheets
    page.saver._printer = QPrinter()
    page.saver._printer.setOutputFileName(str(out))
    page.saver._on_print_accepted()
    settled()
    assert out.read_bytes().startswith(b"%PDF")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    page.saver._printer = None
