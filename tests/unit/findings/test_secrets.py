# SPDX-License-Identifier: MIT
"""Secrets are found by their shapes and checks; near misses are left alone.

Tokens are put together from parts, so that no scanner of source code takes them for real ones.
"""

from __future__ import annotations

import base64
import json
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_gui.findings import checksums
from memory_gui.findings.secret_shapes import SHAPES
from memory_gui.findings.secrets import DOTS, LONGEST, Level, has_secret, mask, secrets_in
from memory_gui.stores import guard

HEAD = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()).decode()
JWT = f"{HEAD.rstrip('=')}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV"
GITHUB = "ghp" + "_zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"  # its check characters are right
AGE = "AGE-SECRET" + "-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"
COIN = "5HueCGU8rMjxEXxiPuD5" + "BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"
PEM = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow\nq8/+==\n-----END RSA PRIVATE KEY-----"
UUID = "0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"
CRYPT = "$2b$12$" + "abcdefghijklmnopqrstuvwxyz0123456789ABCDE"

CERTAIN = (
    ("api_key", "sk-" + "proj-Ab12Cd34Ef56Gh78Ij90Kl"),
    ("api_key", "sk-" + "ant-api03-Ab12Cd34Ef56Gh78Ij90"),
    ("api_key", "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"),
    ("cloud_key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("cloud_key", "LTAI" + "5tAbCdEfGhIjKlMn"),
    ("cloud_key", "AKID" + "z8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE"),
    ("access_token", GITHUB),
    ("access_token", "github" + "_pat_11ABCDEFG0abcdefghij_KLMNOP"),
    ("access_token", "xoxb" + "-123456789012-abcdefghijkl"),
    ("access_token", "glpat" + "-Ab12Cd34Ef56Gh78Ij90"),
    ("access_token", "110201543" + ":AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx"),
    ("api_key", "hf" + "_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh"),
    ("api_key", "SG." + "a" * 22 + "." + "b" * 43),
    ("jwt", JWT),
    ("private_key", AGE),
    ("private_key", COIN),
    ("private_key", PEM),
    ("private_key", PEM.replace("\n", "\\n")),
)
IN_WORDS = (
    ("password: hunter2!", "hunter2!"),
    ("DB_PASSWORD=s3cr3t-value", "s3cr3t-value"),
    ('{"client_secret": "GxYz12345678"}', "GxYz12345678"),
    ("export API_KEY='abcd1234efgh'", "abcd1234efgh"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY"),
    ("PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYU=", "yAnz5TF+lXXJte14tji3zlMNq+hd2rYU="),
    ("postgres://ann:pa55word@db.example/x", "pa55word"),
    ("the password is hunter22.", "hunter22"),
    ("服务器密码是 Abc12345，请记住", "Abc12345"),
    ("口令：qwe123456。", "qwe123456"),
    ("数据库密码改成 root#2024", "root#2024"),
    ("Authorization: Bearer abcdefghijklmnopqrstuv", "abcdefghijklmnopqrstuv"),
    ("https://x.example/cb?code=abcdefgh1234&state=1", "abcdefgh1234"),
    ("AccountKey=" + "Ab1/" * 21 + "Ab==", "Ab1/" * 21 + "Ab=="),
    ("https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXX", "T000/B000/XXXXXXXXXXXX"),
    (f"webhook/send?key={UUID}", UUID),
    (f"hash {CRYPT}", CRYPT),
)
NEAR_MISSES = (
    "user prefers dark mode and vim",
    "password",
    "the password is required",
    "密码是必填项，不能为空",
    "max_tokens: 4096000",
    "token bucket algorithm: refill 10 per second",
    "key: value",
    "keyboard: colemak-dh",
    "secret santa is on 12 December",
    "Public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "550e8400-e29b-41d4-a716-446655440000",
    "https://example.com:8080/path@2x.png",
    "mail ann@example.com or call +43 1 234567",
    "sk-learn and sk-image are libraries",
    "AKIA is how such names begin",
    COIN[:-1] + "K",
    "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTK",
    "eyJhbGciOiJIUzI1NiJ9 alone is no token",
    "Use `bearer tokens` in the header",
    "$2 for coffee, $6 for cake",
)


@pytest.mark.parametrize(("kind", "secret"), CERTAIN, ids=[kind for kind, _ in CERTAIN])
def test_a_makers_own_shape_is_certain_and_masked_whole(kind, secret):
    text = f"keep 这个 {secret} for later"
    (found,) = secrets_in(text)
    assert (found.kind, found.level) == (kind, Level.CERTAIN)
    assert text[found.start : found.end].strip() == secret
    assert mask(text).replace(DOTS, "").split() == ["keep", "这个", "for", "later"]


@pytest.mark.parametrize(("text", "secret"), IN_WORDS)
def test_of_a_name_and_a_value_the_value_is_masked(text, secret):
    assert [text[one.start : one.end] for one in secrets_in(text)] == [secret]
    assert mask(text) == text.replace(secret, DOTS)


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_a_near_miss_is_left_alone(text):
    assert mask(text) == text
    assert not has_secret(text)


def test_wrong_check_characters_make_a_token_only_likely():
    wrong = GITHUB[:-1] + "8"
    assert secrets_in(wrong)[0].level is Level.LIKELY
    assert not checksums.crc_token(wrong)
    forged = "eyJ" + "x" * 12 + JWT[JWT.index(".") :]
    assert secrets_in(forged)[0].level is Level.LIKELY
    assert secrets_in(AGE[:-1] + "Y")[0].level is Level.LIKELY


def test_overlapping_ones_are_one_of_the_surer_kind():
    text = f"token={GITHUB}"
    (found,) = secrets_in(text)
    assert (found.kind, found.level) == ("access_token", Level.CERTAIN)
    assert mask(text) == f"token={DOTS}"


def test_two_in_one_text_are_two():
    text = f"{GITHUB} and {JWT}"
    assert mask(text) == f"{DOTS} and {DOTS}"


def test_a_key_that_was_cut_off_is_masked_as_far_as_it_goes():
    cut = "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3BlbnNzaC1rZXk\nAAAABG5v"
    assert mask(f"here: {cut}\n\n用户") == f"here: {DOTS}用户"


def test_masking_twice_changes_nothing_more():
    for _, secret in CERTAIN:
        once = mask(f"token: {secret}")
        assert mask(once) == once


@pytest.mark.parametrize("number", range(len(guard._COMPILED)))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_agentao_refuses_is_found(number, data):
    _kind, shape = guard._COMPILED[number]
    text = data.draw(st.from_regex(shape))
    match = shape.search(text)
    assert match is not None
    assert any(one.start < match.end() and match.start() < one.end for one in secrets_in(text))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_searched_and_spans_are_in_order(text):
    last = 0
    for one in secrets_in(text):
        assert last <= one.start < one.end <= len(text)
        last = one.end


@pytest.mark.parametrize(
    "piece",
    [
        *("-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "token", "token: ", "password is ", "a:"),
        *("eyJaaaaaaaa.", "aa://aa:", "authorization : ", "密码是 ", "A: b\n", "$2b$", "5" * 51),
    ],
)
def test_a_hostile_text_does_not_take_long(piece):
    for head in ("", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n", "secret="):
        text = head + piece * (20_000 // len(piece))
        started = time.process_time()
        secrets_in(text)
        assert time.process_time() - started < 0.5, (head, piece)


def test_a_shape_is_not_passed_over_for_want_of_its_hint():
    """Each certain sample is found by a shape whose hint is in it: hints never hide a match."""
    for _, secret in CERTAIN:
        matching = [one for one in SHAPES if one.pattern.search(secret)]
        assert all(any(hint in secret.lower() for hint in one.hints) for one in matching)


def test_only_the_beginning_of_an_endless_text_is_searched():
    text = " " * LONGEST + GITHUB
    assert secrets_in(text) == ()
