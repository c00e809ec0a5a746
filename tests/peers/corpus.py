# SPDX-License-Identifier: MIT
"""Inputs for the rules: titles, tags and texts, harmless and secret-like. All invented."""

from __future__ import annotations

import itertools

TITLES = (
    "user_name",
    "User Name",
    "  spaced   out  ",
    "MiXeD-Case.Key",
    "简洁的回答",
    "preference_简洁的回答",
    "数据库 postgresql 版本",
    "a",
    "__a__b__",
    "___",
    "",
    "  ",
    "ß straße",
    "İstanbul",
    "file/path.py:12",
    "x" * 79,
    "x" * 80,
    "x" * 81,
    "x" * 119 + "y",
    ("word " * 30)[:120],
    "tab\tinside",
    "no-break\u00a0space",
    "emoji 🙂 key",
    "Ⅷ roman",
    "１２ full width",
    "ﬁ ligature",
    "user",
    "USER_x",
    "trailing_",
    "zero\u200bwidth",
    "\u202ebidi",
    "nul\x00inside",
)
TAG_SETS: tuple[tuple[str, ...], ...] = (
    (),
    ("user",),
    ("USER", "x"),
    ("preference",),
    ("Preference", "workflow"),
    ("profile", "decision"),
    ("personal",),
    ("project_fact", "constraint"),
    ("语言", "中文"),
    ("constraint",),
    ("Ünïcode", "STRASSE"),
    ("decision", "workflow", "preference"),
)
TEXTS = (
    "short",
    "  stripped  \n",
    "Uses src/main.py, docs/read.me and a/b/c.tsx; see index.html",
    "the quick brown fox jumps over the lazy dog and is of to by",
    "snake_case_words and CamelCase ignored Partly lower_case",
    "中文内容 with english 单词 mixed_in",
    " ".join(f"word{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60)),
    "many_words " * 40,
    "x" * 4000,
    "y" * 4001,
    "",
    "   \n ",
    "numbers 1.23 v1.2.33 file.tar.gz .env .gitignore",
    "a_b_c __dunder__ _private",
    "line\nbreaks\r\nand\ttabs",
    "e-mail anna@example.org and https://example.org/a.html",
)
RULE_CASES = [
    {"title": title, "tags": list(tags), "text": text, "scope": scope, "type": kind}
    for (title, tags, text), (scope, kind) in zip(
        itertools.product(TITLES, TAG_SETS, TEXTS),
        itertools.cycle([(None, None), ("user", None), ("project", "decision"), (None, "profile")]),
        strict=False,
    )
][::7]
"""Every title, tag set and text, in a seventh of all combinations (7 divides no count)."""

_LETTERS = "EXAMPLEonlyNOTaREALkey0123456789abcdefghijklmnopqrstuvwxyz"
_BODY = "MIIEexampleonlynotarealkey0123456789ABCDEFGHIJKLMNOP"
_SHAPES = (
    ("sk-ant-", 19, 20, 21),
    ("sk-", 19, 20, 30),
    ("sk-proj-", 12, 19, 20),
    ("AIza", 34, 35, 36),
    ("GOCSPX-", 19, 20, 25),
    ("ghp_", 35, 36, 40),
    ("gho_", 36, 36, 36),
    ("ghx_", 36, 36, 36),
    ("github_pat_", 19, 20, 40),
    ("xoxb-", 9, 10, 20),
    ("xoxz-", 10, 10, 10),
    ("xapp-1-", 9, 10, 20),
    ("sk_live_", 19, 20, 21),
    ("rk_test_", 20, 20, 24),
    ("pk_live_", 20, 20, 24),
    ("whsec_", 19, 20, 30),
    ("Bearer ", 19, 20, 30),
    ("bearer\t", 20, 20, 20),
    ("Authorization: ", 19, 20, 30),
    ("authorization=Bearer ", 10, 20, 30),
    ("access_token=", 7, 8, 20),
    ("refresh_token: ", 8, 8, 8),
    ('"id_token": "', 8, 8, 8),
    ("code_verifier ", 8, 8, 8),
    ("https://example.org/cb?code=", 7, 8, 12),
    ("&code=", 8, 8, 8),
    ('{"code": "', 7, 8, 12),
    ("code: ", 8, 12, 20),
    ("api_key=", 7, 8, 20),
    ("api-key: ", 8, 8, 8),
    ("apikey='", 8, 8, 8),
    ("xapi_key=", 8, 8, 8),
    ("token: ", 7, 8, 20),
    ("my_token: ", 8, 8, 8),
    ("Password=", 7, 8, 20),
    ("passwd : ", 8, 8, 8),
    ("secret = ", 8, 8, 8),
    ("密码是 ", 8, 8, 8),
)
_FIXED = (
    "the password is on the note",
    "secret: no",
    "AKIA" + "EXAMPLEONLYNOTAK"[:16],
    "ASIA" + "EXAMPLEONLYNOTAK"[:16],
    "AKIA" + "EXAMPLEONLYNOT",
    "AKIA" + "EXAMPLEONLYNOTAK" + "X",
    "eyJexampleonly.eyJnotarealtoken.signature123",
    "eyJshort.eyJnotarealtoken.signature123",
    "eyJexampleonly.notajson.signature123",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\n" + _BODY,
    "-----BEGIN PUBLIC KEY-----\n" + _BODY,
    "-----BEGIN PUBLIC KEY-----\n" + _BODY + "\n-----END PUBLIC KEY-----",
    "-----BEGIN PUBLIC KEY-----\n-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----",
    "-----BEGIN PUBLIC KEY----------END PUBLIC KEY-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n" + _BODY,
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: x\n\n" + _BODY,
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\\n\\n" + _BODY,
    "-----BEGIN PGP PRIVATE KEY BLOCK----- is the header",
    "-----BEGIN PGP PUBLIC KEY BLOCK-----\n" + _BODY + "\n-----END PGP PUBLIC KEY BLOCK-----",
    "-----begin private key-----",
    "-----BEGIN CERTIFICATE-----\n" + _BODY + "\n-----END CERTIFICATE-----",
)


def _shaped() -> list[str]:
    out = []
    for prefix, *lengths in _SHAPES:
        for length in lengths:
            body = (_LETTERS * 2)[:length]
            out += [
                prefix + body,
                f"see {prefix}{body} there",
                f"x{prefix}{body}",
                f"“{prefix}{body}”",
            ]
            out += [f"{prefix}{body}-", f"{prefix}{body}é"]
    return out


SECRET_TEXTS = [*_FIXED, *_shaped(), *TEXTS, *TITLES]
