# SPDX-License-Identifier: MIT
"""What the catalogues and the source do not agree on. ``make words`` prints it.

Usage: ``python packaging/words.py [--stubs] [PART…]``. With PARTs only lines that name one of them
(``ui``, ``erasure``, ``stores.po``, …). ``--stubs`` prints what is missing as entries to paste into
a ``.po`` file. Ends 1 when anything is wrong. The tests in ``tests/unit/words`` use the same
functions, so what is printed here is what they fail about.
"""

from __future__ import annotations

import argparse
import ast
import string
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from babel.messages.extract import extract_from_file
from babel.messages.pofile import normalize, read_po

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "memory_gui"
CATALOGUES = ROOT / "resources" / "words" / "zh_CN"
KEYWORDS = {"say": None, "many": (1, 2), "N_": None, "NN_": (1, 2)}
ERROR_CLASSES = frozenset({"UserError", "IntegrityError"})
ERROR_WORDS = SOURCE / "words"


@dataclass(slots=True)
class Text:
    """A text of the source: where it stands, and its plural if it has one."""

    source: str
    plural: str = ""
    places: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Entry:
    """A text of a catalogue, with its translations."""

    source: str
    plural: str
    strings: tuple[str, ...]
    fuzzy: bool
    place: str


@dataclass(slots=True)
class Raised:
    """A place that raises an error: its code, and the parameters it passes (None: unknown)."""

    code: str
    params: frozenset[str] | None
    place: str


def sources() -> list[Path]:
    """The modules of the package."""
    return sorted(SOURCE.rglob("*.py"))


def near(path: Path) -> str:
    """A path as a person writes it in this checkout."""
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def texts(files: Iterable[Path] | None = None) -> dict[str, Text]:
    """Every text that the source says, by its English words (extracted with Babel)."""
    found: dict[str, Text] = {}
    for file in sources() if files is None else files:
        for line, message, _, _ in extract_from_file("python", file, KEYWORDS):
            source, plural = message if isinstance(message, tuple) else (message, "")
            if not source:
                continue
            text = found.setdefault(source, Text(source))
            text.plural = text.plural or plural
            text.places.append(f"{near(file)}:{line}")
    return found


def entries(files: Iterable[Path] | None = None) -> list[Entry]:
    """Every entry of the Chinese catalogues."""
    found: list[Entry] = []
    for file in sorted(CATALOGUES.glob("*.po")) if files is None else files:
        with file.open("rb") as stream:
            for message in read_po(stream, locale="zh_CN", abort_invalid=True):
                if not message.id:
                    continue
                ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
                given = message.string
                strings = (given,) if isinstance(given, str) else tuple(given)
                place = f"{near(file)}:{message.lineno}"
                found.append(
                    Entry(ids[0], ids[-1] if len(ids) > 1 else "", strings, message.fuzzy, place)
                )
    return found


def placeholders(text: str) -> set[str]:
    """The names in braces of a text; a broken brace raises ValueError."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def trees(files: Iterable[Path] | None = None) -> Iterator[tuple[Path, ast.Module]]:
    """The parsed modules."""
    for file in sources() if files is None else files:
        yield file, ast.parse(file.read_text(encoding="utf-8"), str(file))


def called(node: ast.Call) -> str:
    """The last part of what is called."""
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def given(node: ast.Call) -> frozenset[str] | None:
    """The keyword names of a call; None when a ``**mapping`` hides some."""
    names = [keyword.arg for keyword in node.keywords]
    return None if None in names else frozenset(name for name in names if name)


def literals(node: ast.expr | None) -> list[str]:
    """The plain texts that an expression can be: a constant, or a choice of constants."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=first, orelse=second):
            return literals(first) + literals(second)
    return []


def missing_or_unused(said: dict[str, Text], known: list[Entry]) -> list[str]:
    """Texts without Chinese, and Chinese that nobody says."""
    have = {entry.source for entry in known}
    lines = [
        f"missing in resources/words/zh_CN: {text.source!r} ({text.places[0]})"
        for text in said.values()
        if text.source not in have
    ]
    lines += [f"unused: {e.source!r} ({e.place})" for e in known if e.source not in said]
    return lines


def broken(said: dict[str, Text], known: list[Entry]) -> list[str]:
    """Entries that are empty, fuzzy, double, or whose plural or placeholders differ."""
    lines: list[str] = []
    first: dict[str, str] = {}
    for entry in known:
        if entry.source in first:
            lines.append(f"twice: {entry.source!r} ({first[entry.source]} and {entry.place})")
        first.setdefault(entry.source, entry.place)
        if entry.fuzzy:
            lines.append(f"fuzzy: {entry.source!r} ({entry.place})")
        if not all(entry.strings):
            lines.append(f"empty: {entry.source!r} ({entry.place})")
            continue
        text = said.get(entry.source)
        if text is not None and text.plural != entry.plural:
            want, has = text.plural or "no plural", entry.plural or "none"
            lines.append(
                f"plural differs: {entry.source!r} wants {want!r}, has {has!r} ({entry.place})"
            )
        lines += different_placeholders(entry)
    return lines


def different_placeholders(entry: Entry) -> list[str]:
    """Lines for translations whose ``{names}`` are not those of the English text."""
    lines = []
    for translated in entry.strings:
        try:
            want, has = placeholders(entry.plural or entry.source), placeholders(translated)
        except ValueError as error:
            lines.append(f"broken braces: {entry.source!r} ({entry.place}): {error}")
            continue
        if want != has:
            lines.append(
                f"placeholders differ: {entry.source!r} {sorted(want ^ has)} ({entry.place})"
            )
    return lines


def glued(files: Iterable[Path] | None = None) -> list[str]:
    """Calls whose text is put together (f-string, ``+``, ``format``) or lacks a value."""
    lines: list[str] = []
    for file, tree in trees(files):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or called(node) not in KEYWORDS:
                continue
            place = f"{near(file)}:{node.lineno}"
            count = 2 if called(node) in ("many", "NN_") else 1
            for text in node.args[:count]:
                lines += [f"{place}: {problem}" for problem in gluing(text, called(node))]
            lines += [f"{place}: {name!r} gets no value" for name in unfilled(node, count)]
    return lines


def gluing(text: ast.expr, call: str) -> list[str]:
    """What is wrong with the text of one call."""
    match text:
        case ast.JoinedStr():
            return [f"an f-string inside {call}() cannot be translated"]
        case ast.BinOp():
            return [f"a text put together inside {call}() cannot be translated"]
        case ast.Call(func=ast.Attribute(attr="format" | "join" | "replace")):
            return [f"a text made inside {call}() cannot be translated"]
        case ast.Constant() | ast.IfExp():
            return []
    return [f"{call}() marks literals only"] if call in ("N_", "NN_") else []


def unfilled(node: ast.Call, count: int) -> set[str]:
    """Placeholders of a literal text for which the call passes nothing."""
    values = given(node)
    if called(node) in ("N_", "NN_") or values is None:
        return set()
    wanted = {
        name for text in node.args[:count] for one in literals(text) for name in placeholders(one)
    }
    return wanted - values - ({"n"} if count > 1 else set())


def raised(files: Iterable[Path] | None = None) -> tuple[list[Raised], set[str], list[str]]:
    """Error codes raised with a literal; every literal of the source; codes put together."""
    found: list[Raised] = []
    strings: set[str] = set()
    wrong: list[str] = []
    for file, tree in trees(files):
        if file.is_relative_to(ERROR_WORDS):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                strings.add(node.value)
            if not isinstance(node, ast.Call) or called(node) not in ERROR_CLASSES or not node.args:
                continue
            place = f"{near(file)}:{node.lineno}"
            found += [Raised(code, given(node), place) for code in literals(node.args[0])]
            if isinstance(node.args[0], (ast.JoinedStr, ast.BinOp)):
                wrong.append(f"{place}: the code of an error is one literal, not put together")
    return found, strings, wrong


def errors_without_words(known: dict[str, tuple[str, ...]]) -> list[str]:
    """Where codes and the table of their words differ; ``known`` has the texts by code."""
    found, strings, lines = raised()
    for one in found:
        if one.code not in known:
            lines.append(f"no words for {one.code!r} in words/errors.py ({one.place})")
        elif one.params is not None:
            wanted = {name for text in known[one.code] for name in placeholders(text)}
            lines += [f"{one.place}: {one.code!r} needs {n}=" for n in sorted(wanted - one.params)]
    codes = {one.code for one in found} | strings
    lines += [
        f"words for {code!r}, which nothing raises" for code in sorted(known) if code not in codes
    ]
    return lines


def table() -> dict[str, tuple[str, ...]]:
    """The words of all errors by code."""
    from memory_gui.words.errors import ERRORS  # noqa: PLC0415 - the rest works without the package
    from memory_gui.words.errors_typed import TYPED  # noqa: PLC0415 - as above

    return {c: (words.title, words.next, TYPED.get(c, "")) for c, words in ERRORS.items()}


def stub(text: Text) -> str:
    """An entry to paste into a catalogue."""
    lines = [f"#: {text.places[0].rpartition(':')[0]}", f"msgid {normalize(text.source)}"]
    if text.plural:
        return "\n".join([*lines, f"msgid_plural {normalize(text.plural)}", 'msgstr[0] ""', ""])
    return "\n".join([*lines, 'msgstr ""', ""])


def main() -> int:
    """Print what is wrong."""
    parser = argparse.ArgumentParser(
        description="Compare the texts of the source and the catalogues."
    )
    parser.add_argument(
        "--stubs", action="store_true", help="print entries to paste into a .po file"
    )
    parser.add_argument("parts", nargs="*", help="only what names one of these")
    chosen = parser.parse_args()
    said, known = texts(), entries()
    have = {entry.source for entry in known}
    if chosen.stubs:
        lines = [stub(text) for text in said.values() if text.source not in have]
    else:
        lines = missing_or_unused(said, known) + broken(said, known) + glued()
        lines += errors_without_words(table())
    shown = [line for line in lines if not chosen.parts or any(p in line for p in chosen.parts)]
    sys.stdout.write("".join(f"{line}\n" for line in shown))
    if not chosen.stubs:
        sys.stdout.write(f"{len(said)} texts, {len(known)} in Chinese, {len(shown)} problems\n")
    return 1 if shown and not chosen.stubs else 0


if __name__ == "__main__":
    sys.exit(main())
