# SPDX-License-Identifier: MIT
"""What a person types, and what is understood."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.language import Has, Hint, Nothing, Part, When, literal, parse
from memory_gui.domain.times import micros_of

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


def parts(text):
    return [(t.needle, t.negated) for t in parse(text).terms if isinstance(t, Part)]


def local(*day):
    """A midnight on this machine's clock."""
    return micros_of(datetime(*day).astimezone(UTC))


@pytest.mark.parametrize(
    "text",
    ["%", "_", "*", "C++", "GB/s", "it's", "NEAR(", "pre-edit", "5\"", "a:b", "http://x", "12:30",
     "-", "OR", "^x$", "\\d", "(", "]", "'", "x-", "a\x1eb", "的", "类型:x"],
)  # fmt: skip
def test_all_else_is_literal(text):
    assert parts(text) == [(text.casefold(), False)]
    assert parse(text).hints == ()


def test_words_phrases_and_nots():
    assert parts('red "blue  sky" -green -"deep sea"') == [
        ("red", False),
        ("blue  sky", False),
        ("green", True),
        ("deep sea", True),
    ]
    assert parts("a\u3000b\u00a0c\td") == [(one, False) for one in "abcd"]
    assert parts('"say ""hi"" now"') == [('say "hi" now', False)]
    assert parts("--force") == [("-force", True)]
    assert parse("").terms == parse("  ").terms == parse('""').terms == ()


def test_fields_are_exact_and_take_any_case_and_a_wide_colon():
    assert parse('type:Note -tag:"zh cn" SCOPE：user type:""').terms == (
        Has("type", "note", "Note"),
        Has("tag", "zh cn", "zh cn", negated=True),
        Has("scope", "user", "user"),
        Has("type", "", ""),
    )


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("before:2026-06", When("created", None, local(2026, 6, 1))),
        ("after:2026-06-15", When("created", local(2026, 6, 15), None)),
        ("after:2026-6-5", When("created", local(2026, 6, 5), None)),
        ("changed:2026-12", When("updated", local(2026, 12, 1), local(2027, 1, 1))),
        ("changed:2025", When("updated", local(2025, 1, 1), local(2026, 1, 1))),
        ("-changed:2026-02-28", When("updated", local(2026, 2, 28), local(2026, 3, 1), True)),
        ("changed:7d", When("updated", micros_of(datetime(2026, 3, 24, 12, tzinfo=UTC)), None)),
        ("before:12h", When("created", None, micros_of(datetime(2026, 3, 31, 0, tzinfo=UTC)))),
        ("after:2w", When("created", micros_of(datetime(2026, 3, 17, 12, tzinfo=UTC)), None)),
        ("after:1m", When("created", micros_of(datetime(2026, 2, 28, 12, tzinfo=UTC)), None)),
        ("after:2y", When("created", micros_of(datetime(2024, 3, 31, 12, tzinfo=UTC)), None)),
    ],
)
def test_dates_and_ages(text, term):
    assert parse(text, NOW).terms == (term,)
    assert parse(text, NOW).hints == ()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("before:2026-13", "query.date"),
        ("after:2026-02-30", "query.date"),
        ("changed:yesterday", "query.date"),
        ("after:9999y", "query.date"),
        ("after:0000", "query.date"),
        ("type:", "query.value_missing"),
        ("before: 2026", "query.value_missing"),
        ("state:gone", "query.state_unknown"),
        ('type:"open', "query.quote_open"),
        ('-"open', "query.quote_open"),
        ("-state:gone", "query.state_unknown"),
        ("-before:never", "query.date"),
    ],
)
def test_a_mistake_finds_nothing_and_is_told(text, code):
    parsed = parse(text)
    assert isinstance(parsed.terms[0], Nothing)
    assert [hint.code for hint in parsed.hints] == [code]


def test_what_is_taken_as_text_although_it_looks_like_more():
    assert parts('"open it') == [('"open', False), ("it", False)]
    assert parse('"open').hints == (Hint("query.quote_open", {"text": '"open'}),)
    assert parts("tags:x") == [("tags:x", False)]
    assert parse("tags:x").hints == (
        Hint("query.field_unknown", {"text": "tags:x", "field": "tag"}),
    )
    assert [hint.code for hint in parse("-x -y").hints] == ["query.only_without"]
    assert parse("-x y").hints == ()
    assert parts("has:finding") == [("has:finding", False)]
    assert [hint.code for hint in parse("has:Finding x").hints] == ["query.findings"]
    assert parse('"has:finding" has:x').hints == ()


@given(st.text())
def test_nothing_that_is_typed_raises(text):
    parse(text, NOW)


@given(st.text(min_size=1))
def test_a_literal_is_one_part(text):
    terms = parse(literal(text)).terms
    assert [(one.shown, one.negated) for one in terms if isinstance(one, Part)] == [(text, False)]
    assert len(terms) == 1
