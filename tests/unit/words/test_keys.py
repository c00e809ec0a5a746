# SPDX-License-Identifier: MIT
"""Six results, six texts, in both languages; the same for the reasons and the ledger's states."""

import re
from pathlib import Path
from typing import get_args

import pytest

from memory_gui.domain.keys import (
    Absent,
    Denied,
    KeyResult,
    Locked,
    Mismatch,
    Present,
    RawKey,
    Unavailable,
)
from memory_gui.words import Words
from memory_gui.words.keys import (
    BACKENDS,
    LEDGER,
    REASONS,
    RESULTS,
    explain_key,
    explain_ledger,
    explain_reason,
)

PACKAGE = Path(__file__).parents[3] / "memory_gui"
BACKEND = "SecretService.Keyring"
SIX = [
    Present(RawKey(bytes(32)), "a", BACKEND),
    Absent(BACKEND),
    Locked(BACKEND),
    Denied(BACKEND, "AccessDenied"),
    Unavailable(("silent",)),
    Mismatch(BACKEND, ("a",)),
]


@pytest.fixture(params=["en", "zh_CN"])
def words(request) -> Words:
    return Words(request.param)


def test_every_result_has_words():
    assert {cls.__name__ for cls in get_args(KeyResult)} == set(RESULTS)


def test_six_results_are_six_different_texts(words):
    said = [explain_key(words, result) for result in SIX]
    for part in ("title", "cause", "next"):
        texts = [getattr(one, part) for one in said]
        assert all(texts)
        assert "{" not in "".join(texts)
    assert len({one.title for one in said}) == 6
    assert len({one.cause for one in said}) == 6


def test_what_a_person_reads(words):
    said = explain_key(words, Locked(BACKEND))
    assert (
        said.title
        == {
            "en": "The system keychain (Secret Service) is locked.",
            "zh_CN": "系统钥匙串（Secret Service）已锁定。",
        }[words.language]
    )
    said = explain_key(words, Unavailable((f"not-there:{BACKEND}: no daemon",)))
    assert said.details == (
        {
            "en": "The system keychain (Secret Service) is not there. (no daemon)",
            "zh_CN": "未找到：系统钥匙串（Secret Service）。（no daemon）",
        }[words.language],
    )


def test_every_reason_that_the_vault_gives_has_words(words):
    """Codes as they stand in the sources: ``unavailable("code")``, ``ServiceGoneError("code")``."""
    sources = "".join(f.read_text() for f in (PACKAGE / "vault").glob("*.py"))
    codes = set(
        re.findall(r'(?:ServiceGoneError|unavailable|Unavailable)\(\(?f?"([a-z-]+)', sources)
    )
    codes |= set(re.findall(r'"reasons": \[f?"([a-z-]+)', sources))
    codes |= set(re.findall(r'append\(f"([a-z-]+):', sources)) | {"foreign", "unknown", "no-key"}
    assert {"silent", "ended", "no-bus", "not-there", "off", "helper-gone"} <= codes
    assert codes <= set(REASONS)
    for code in codes:
        for backend in BACKENDS:
            assert "{" not in explain_reason(words, f"{code}:{backend}")


def test_a_reason_that_nobody_foresaw_is_an_error_with_its_backend(words):
    text = explain_reason(words, "what:x.Y: Oops")
    assert "x.Y" in text
    assert "Oops" in text


def test_every_state_of_the_ledger_has_words(words):
    source = (PACKAGE / "ledger" / "ledger.py").read_text()
    states = set(re.findall(r'LedgerState\("([a-z-]+)"', source))
    states |= set(re.findall(r'code = "([a-z-]+)"', source))
    states |= set(re.findall(r'"([a-z-]+)" if .* else "([a-z-]+)"', source)[0])
    assert states - {"open"} <= set(LEDGER)
    for code in LEDGER:
        said = explain_ledger(words, code)
        assert said.title
        assert said.cause
        assert said.next
