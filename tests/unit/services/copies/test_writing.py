# SPDX-License-Identifier: MIT
"""The copy for a person: everything in it, nothing of it runs, nobody else's file is touched."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections import Counter
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser

import pytest

from memory_gui.cases.case import Case
from memory_gui.cases.clock import Clock
from memory_gui.cases.finds import CaseFind, Finds, Heap, NotLooked, Place
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.services.cases.finding.contents import Content
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.copies import Form, default_name, open_copy, write_copy
from memory_gui.words.copies import FIELDS

STORE = StoreId("/home/ann/atlas/.agentao/memory.db")
LOG = "/home/ann/atlas/agentao.log"
SUBJECT = Subject.of("Zofia Quillfeather")
CASE = Case(7, "c7", SUBJECT, Right.ERASE, Clock.started(date(2026, 11, 10)))
HOSTILE = "</title><script>alert(1)</script><img src=//x onerror=y> \u202eevil\x07 &amp; \ud800"
PASSPHRASE = "four words that fit"


def record(number: int, text: str, **more) -> Record:
    return Record(
        Ref(STORE, "memory", (f"{number:08x}",)), "e", State.LIVE, f"title {number}", text,
        **({"created_at": "2026-10-03T08:30:00", "extra": {"evidence": "said so"}} | more),
    )  # fmt: skip


RECORDS = {
    1: record(1, "Zofia Quillfeather is on call."),
    2: record(2, HOSTILE, tags=("<b>", "two")),
}


def find(number: int, heap: Heap, **more) -> CaseFind:
    given = {
        "place": Place.RECORD,
        "kind": "memory",
        "path": str(STORE),
        "title": f"title {number}",
    }
    return CaseFind(number, STORE, "agentao", "Agentao", heap=heap, **(given | more))


FINDS = Finds(
    SUBJECT,
    (
        find(1, Heap.SURE),
        find(2, Heap.MENTIONS),
        find(3, Heap.SURE, place=Place.FILE, kind="log", path=LOG, title=""),
    ),
    looked=(str(STORE),),
    not_looked=(NotLooked("/home/ann/<i>x.db", "Mem0", "case.no_adapter"),),
    records=90,
)


class Cases:
    """Stands where the use cases are."""

    def contents(self, finds, where, numbers, *, cancel=None):
        for one in finds.finds:
            if one.number in numbers:
                text = "12:01 Zofia asked" if one.place is Place.FILE else ""
                yield Content(one, RECORDS.get(one.number), text)


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts = Counter(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += attrs

    def handle_data(self, data):
        self.texts.append(data)


def write(out, form=Form.FOLDER, **more):
    return write_copy(Cases(), CASE, FINDS, Where(), out, form=form, work=4, **more)


def test_a_folder_has_a_page_in_each_language_and_the_data(tmp_path):
    copied = write(tmp_path / "copy")
    folder = copied.path
    assert sorted(path.name for path in folder.iterdir()) == [
        "data.json", "what-is-held.en.html", "what-is-held.zh.html",
    ]  # fmt: skip
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    data = json.loads((folder / "data.json").read_bytes())
    assert copied.records == 3 == data["about"]["records"]
    assert data["about"]["complete"] is False
    first, second, log = data["records"]
    assert (first["text"], first["about"], first["extra"]) == (
        RECORDS[1].text, "sure", {"evidence": "said so"},
    )  # fmt: skip
    assert second["text"] == HOSTILE
    assert (log["kind"], log["path"], log["text"]) == ("log", LOG, "12:01 Zofia asked")
    named = set(first) | set(second) | set(log)
    assert named <= set(FIELDS)
    assert all(set(one) == {"en", "zh_CN"} for one in data["fields"].values())
    assert set(data["other_fields"]) == {"evidence"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_of_a_page_runs_loads_or_leads_away(tmp_path, language):
    folder = write(tmp_path / "copy").path
    raw = (folder / f"what-is-held.{language}.html").read_text("utf-8")
    page = Page(raw)
    assert not {"script", "img", "iframe", "link", "form", "object", "b", "i"} & set(page.tags)
    assert [value for name, value in page.attributes if name in ("href", "src")] == [
        f"what-is-held.{'zh' if language == 'en' else 'en'}.html"
    ]
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    contents = [value for name, value in page.attributes if name == "content"]
    policy = next(value for value in contents if "default-src" in value)
    assert policy.startswith("default-src 'none'")
    assert "\u202e" not in raw
    assert "\x07" not in raw
    shown = "".join(page.texts)
    assert "</title><script>alert(1)</script>" in shown
    assert "U+202E" in shown
    assert "U+D800" in shown
    assert "/home/ann/<i>x.db" in shown
    assert RECORDS[1].text in shown


def test_a_zip_has_the_same_and_a_print_of_it(tmp_path):
    copied = write(tmp_path / "copy.zip", Form.ZIP)
    assert stat.S_IMODE(copied.path.stat().st_mode) == 0o600
    with zipfile.ZipFile(copied.path) as packed:
        assert packed.testzip() is None
        assert tuple(packed.namelist()) == copied.files
    assert len(copied.sha256) == 64


def test_a_sealed_copy_opens_with_its_passphrase_and_nothing_of_it_was_in_clear(tmp_path):
    copied = write(tmp_path / "copy.zip.age", Form.SEALED, passphrase=PASSPHRASE)
    assert [path.name for path in tmp_path.iterdir()] == ["copy.zip.age"]
    assert b"Zofia" not in copied.path.read_bytes()
    with pytest.raises(UserError, match=r"copy\.wrong_passphrase"):
        open_copy(copied.path, tmp_path / "no.zip", "four words that fix")
    assert not (tmp_path / "no.zip").exists()
    opened = open_copy(copied.path, tmp_path / "yes.zip", PASSPHRASE)
    assert stat.S_IMODE(opened.stat().st_mode) == 0o600
    with zipfile.ZipFile(io.BytesIO(opened.read_bytes())) as packed:
        assert json.loads(packed.read("data.json"))["about"]["person"] == "Zofia Quillfeather"


def test_only_what_is_chosen(tmp_path):
    copied = write(tmp_path / "copy", numbers=(1,))
    data = json.loads((copied.path / "data.json").read_bytes())
    assert [one["title"] for one in data["records"]] == ["title 1"]


@pytest.mark.parametrize("form", Form)
def test_nothing_is_written_over(tmp_path, form):
    out = tmp_path / "there"
    out.write_text("mine")
    with pytest.raises(UserError, match=r"copy\.exists"):
        write(out, form, passphrase=PASSPHRASE)
    assert out.read_text() == "mine"
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match=r"copy\.exists"):
        write(tmp_path / "link", form, passphrase=PASSPHRASE)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("form", Form)
def test_one_that_is_stopped_leaves_nothing(tmp_path, form):
    cancel = CancelToken()

    def tick(_step, done, _total):
        if done == 4:
            cancel.cancel()

    with pytest.raises(Cancelled):
        write(tmp_path / "copy", form, passphrase=PASSPHRASE, tick=tick, cancel=cancel)
    assert list(tmp_path.iterdir()) == []


def test_a_short_passphrase_and_an_empty_copy_are_refused(tmp_path):
    with pytest.raises(UserError, match=r"copy\.passphrase"):
        write(tmp_path / "copy", Form.SEALED, passphrase="elevenchars")
    with pytest.raises(UserError, match=r"copy\.nothing"):
        write_copy(Cases(), CASE, replace(FINDS, finds=()), Where(), tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_the_file_tells_nobody_whom_it_is_about():
    assert default_name(CASE, Form.SEALED) == "copy-of-case-7.zip.age"
