# SPDX-License-Identifier: MIT
import pytest

from memory_gui.domain.likeness import NEAR, grams, likeness, opposed, same


def like(one: str, other: str) -> float:
    return likeness(grams(one), grams(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("concise answers with the command first", "concise answers, with the commands first"),
        ("回答时先给结论,再讲原因", "回答时先给出结论,再讲原因"),
        ("The service listens on port 8080", "the service listens on PORT 8081"),
        ("用户喜欢深色主题", "用户喜欢深色的主题"),
    ],
)
def test_near(one: str, other: str) -> None:
    assert NEAR <= like(one, other) < 1.0 + 1e-9


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("concise answers with the command first", "merge without a green build"),
        ("用户喜欢深色主题", "每周五部署"),
        ("", "anything"),
        ("!!!", "???"),
    ],
)
def test_far(one: str, other: str) -> None:
    assert like(one, other) < 0.3


def test_width_case_and_blanks_are_no_difference() -> None:
    assert same("ＡＢＣ  def", "abc def\n")
    assert not same("abc", "abd")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("prefers dark mode", "prefers light mode"),
        ("deploy on Friday", "never deploy on Friday"),
        ("Do not use tabs here", "Use tabs here"),
        ("don't squash commits on merge", "squash commits on merge"),
        ("The service listens on port 8080", "The service listens on port 9090"),
        ("prefers long answers", "does not prefer long answers"),
        ("likes green tea", "doesn't like green tea"),
        ("uses tabs in Python", "uses spaces in Python"),
        ("用户喜欢深色主题", "用户喜欢浅色主题"),
        ("用户喜欢喝茶", "用户不喜欢喝茶"),
        ("允许在周五部署", "禁止在周五部署"),
        ("release at 09:30 every day", "release at 10:30 every day"),
    ],
)
def test_opposite_values(one: str, other: str) -> None:
    assert opposed(one, other)
    assert opposed(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("prefers dark mode", "prefers dark mode"),
        ("prefers dark mode", "the window has a light switch on the left"),
        ("does not like tea", "doesn't like tea"),
        ("用户不喜欢喝茶", "用户不喜欢喝酒"),
        ("not dark mode", "light mode"),
        ("answers in English", "merge on green"),
        ("", "not"),
    ],
)
def test_no_opposites(one: str, other: str) -> None:
    assert not opposed(one, other)
