# SPDX-License-Identifier: MIT
"""English and Chinese are both complete. ``make words`` prints the same lists while you work."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f"project_{name}", ROOT / "packaging" / f"{name}.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


words = load("words")


def agree(lines: list[str]) -> None:
    """Fail with exactly the list of what is wrong, one a line."""
    if lines:
        pytest.fail(f"{len(lines)} problems (make words):\n" + "\n".join(lines), pytrace=False)


@pytest.fixture
def source(tmp_path: Path):
    def write(text: str) -> list[Path]:
        file = tmp_path / "module.py"
        file.write_text(text, encoding="utf-8")
        return [file]

    return write


@pytest.fixture
def catalogue(tmp_path: Path):
    def write(text: str, name: str = "area.po") -> Path:
        file = tmp_path / name
        head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        file.write_text(
            head + '"Plural-Forms: nplurals=1; plural=0;\\n"\n\n' + text, encoding="utf-8"
        )
        return file

    return write


class TestOurs:
    def test_every_text_is_in_chinese_and_none_is_unused(self):
        agree(words.missing_or_unused(words.texts(), words.entries()))

    def test_no_entry_is_empty_fuzzy_double_or_differs(self):
        agree(words.broken(words.texts(), words.entries()))

    def test_no_text_is_glued_or_lacks_a_value(self):
        agree(words.glued())

    def test_every_error_has_words_and_every_word_an_error(self):
        agree(words.errors_without_words(words.table()))


class TestTheChecks:
    """Each check finds what it is for."""

    def test_texts_are_found_through_attributes_tables_and_plurals(self, source):
        files = source(
            'a = self._words.say("One")\nb = {1: N_("Two")}\n'
            'c = words.many("{n} row", "{n} rows", n)\nd = say(\n    "Long "\n    "text"\n)\n'
        )
        found = words.texts(files)
        assert set(found) == {"One", "Two", "{n} row", "Long text"}
        assert found["{n} row"].plural == "{n} rows"

    def test_missing_and_unused(self, source, catalogue):
        said = words.texts(source('say("Here")\nsay("Gone")\n'))
        known = words.entries(
            [catalogue('msgid "Here"\nmsgstr "在"\n\nmsgid "Old"\nmsgstr "旧"\n')]
        )
        lines = words.missing_or_unused(said, known)
        assert len(lines) == 2
        assert "missing in resources/words/zh_CN: 'Gone'" in lines[0]
        assert "unused: 'Old'" in lines[1]

    @pytest.mark.parametrize(
        ("entry", "problem"),
        [
            ('msgid "a {x}"\nmsgstr "甲 {y}"\n', "placeholders differ"),
            ('msgid "a {x}"\nmsgstr "甲 {x"\n', "broken braces"),
            ('msgid "a {x}"\nmsgstr ""\n', "empty"),
            ('#, fuzzy\nmsgid "a {x}"\nmsgstr "甲 {x}"\n', "fuzzy"),
            ('msgid "a {x}"\nmsgid_plural "as {x}"\nmsgstr[0] "甲 {x}"\n', "plural differs"),
        ],
    )
    def test_broken_entries(self, source, catalogue, entry, problem):
        lines = words.broken(
            words.texts(source('say("a {x}", x=1)\n')), words.entries([catalogue(entry)])
        )
        assert len(lines) == 1
        assert problem in lines[0]

    def test_the_same_text_in_two_files(self, source, catalogue):
        entry = 'msgid "a"\nmsgstr "甲"\n'
        known = words.entries([catalogue(entry, "one.po"), catalogue(entry, "two.po")])
        lines = words.broken(words.texts(source('say("a")\n')), known)
        assert len(lines) == 1
        assert "one.po" in lines[0]
        assert "two.po" in lines[0]

    @pytest.mark.parametrize(
        ("call", "problem"),
        [
            ('say(f"a {x}")', "f-string"),
            ('say("a " + x)', "put together"),
            ('say("a {}".format(x))', "a text made"),
            ('many("a {n}", f"as {n}", n)', "f-string"),
            ("N_(x)", "marks literals only"),
            ('say("a {x}", y=1)', "'x' gets no value"),
            ('many("{n} of {m}", "{n} of {m}", n)', "'m' gets no value"),
        ],
    )
    def test_glued_texts(self, source, call, problem):
        lines = words.glued(source(f"{call}\n"))
        assert len(lines) == 1
        assert problem in lines[0]

    def test_fine_calls_pass(self, source):
        text = (
            'say("a {x}", x=1)\nsay(entry.title, **params)\n'
            'many("{n} a", "{n} as", n)\nsay("a" if x else "b")\n'
        )
        assert words.glued(source(text)) == []

    def test_codes_raised(self, source):
        found, strings, wrong = words.raised(
            source(
                'raise UserError("a.b", path=1)\nraise IntegrityError("c.d" if x else "e.f", **p)\n'
                'raise UserError(f"key.{x}")\nCODES = {1: "g.h"}\n'
            )
        )
        assert [(one.code, one.params) for one in found] == [
            ("a.b", frozenset({"path"})),
            ("c.d", None),
            ("e.f", None),
        ]
        assert "g.h" in strings
        assert len(wrong) == 1
        assert "not put together" in wrong[0]

    def test_words_and_codes_differ(self, monkeypatch):
        here = [words.Raised("a.b", frozenset(), "x.py:1"), words.Raised("c.d", None, "x.py:2")]
        monkeypatch.setattr(words, "raised", lambda: (here, {"e.f"}, []))
        lines = words.errors_without_words(
            {"a.b": ("At {path}", ""), "e.f": ("", ""), "g.h": ("", "")}
        )
        assert lines == [
            "x.py:1: 'a.b' needs path=",
            "no words for 'c.d' in words/errors.py (x.py:2)",
            "words for 'g.h', which nothing raises",
        ]
