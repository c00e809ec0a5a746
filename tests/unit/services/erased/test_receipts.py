# SPDX-License-Identifier: MIT
"""Receipts signed by this installation's key, chained in the ledger, and verified again."""

import json
import stat

import pytest
from keychains import SECRETS, ManyKeychains

from memory_gui.domain.errors import UserError
from memory_gui.erasure import signing
from memory_gui.services import build_services
from memory_gui.services.erased.receipts import ALTERED, KNOWN, OURS, UNKNOWN, UNSIGNED
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

DOCUMENT = {"receipt": 2, "id": "ab", "state": "proved", "stores": []}


@pytest.fixture
def installed(tmp_path):
    """Makes an installation in a folder of its own, with or without a keychain."""
    made = []

    def make(name, keychain=None):
        services = build_services(
            words=Words(),
            home=tmp_path / name,
            data_dir=tmp_path / name / "data",
            keychain=keychain or ManyKeychains(SECRETS),
        )
        made.append(services)
        return services.receipts

    yield make
    for services in made:
        services.close()


def test_two_receipts_are_signed_private_and_chained(installed, tmp_path):
    receipts = installed("one")
    first = receipts.write(DOCUMENT, tmp_path / "1.json")
    second = receipts.write(DOCUMENT, tmp_path / "2.json")
    assert first["chain"] == {"number": 1, "previous": "0" * 64}
    assert second["chain"] == {"number": 2, "previous": signing.digest(first)}
    assert json.loads((tmp_path / "2.json").read_text("utf-8")) == second
    assert stat.S_IMODE((tmp_path / "1.json").stat().st_mode) == 0o600
    verdict = receipts.verify(tmp_path / "2.json")
    assert (verdict.code, verdict.number) == (OURS, 2)
    assert verdict.fingerprint == receipts.key().fingerprint


def test_another_installation_knows_the_signer_only_when_a_person_named_it(installed, tmp_path):
    theirs, ours = installed("one"), installed("two")
    theirs.write(DOCUMENT, tmp_path / "1.json")
    assert ours.verify(tmp_path / "1.json").code == UNKNOWN
    assert ours.verify(tmp_path / "1.json", "ab" * 32).code == UNKNOWN
    mark = theirs.key().fingerprint
    assert ours.verify(tmp_path / "1.json", mark.upper()).code == KNOWN
    again = ours.verify(tmp_path / "1.json")
    assert (again.code, again.number) == (KNOWN, None)
    assert again.since


def test_one_letter_that_was_changed(installed, tmp_path):
    receipts = installed("one")
    receipts.write(DOCUMENT, tmp_path / "1.json")
    text = (tmp_path / "1.json").read_text("utf-8")
    (tmp_path / "1.json").write_text(text.replace('"proved"', '"planned"'), "utf-8")
    assert receipts.verify(tmp_path / "1.json").code == ALTERED
    assert receipts.verify(tmp_path / "1.json", receipts.key().fingerprint).code == ALTERED


def test_without_a_keychain_it_says_that_it_is_not_signed(installed, tmp_path):
    receipts = installed("one", NoKeychain())
    written = receipts.write(DOCUMENT, tmp_path / "1.json")
    assert written["signed"] is False
    assert "not signed" in written["note"]
    assert receipts.verify(tmp_path / "1.json").code == UNSIGNED
    assert receipts.key() is None
    assert not list((tmp_path / "one").rglob("*.db"))


def test_what_cannot_be_read(installed, tmp_path):
    receipts = installed("one", NoKeychain())
    with pytest.raises(UserError, match=r"receipt\.missing"):
        receipts.verify(tmp_path / "none.json")
