# SPDX-License-Identifier: MIT
"""A folder of notes: order and untouched bytes stay, and what cannot be known is said."""

from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_gui.domain.changes import ChangeSet, Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.notes.format import NotesFormat
from memory_gui.stores.registry import Registry, formats

PROJECT = "first\n\nsecond, 二\nline two\n\n\n\nthird\n"


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / ".agent-harness" / "memory"
    place.mkdir(parents=True)
    (place / "project.md").write_bytes(PROJECT.encode())
    return place


@pytest.fixture
def opened():
    stores = []
    format_ = NotesFormat()

    def run(path, mode=Mode.CHANGE):
        stores.append(format_.open(Location((Path(path).resolve(),)), None, mode))
        return stores[-1]

    yield run
    for store in stores:
        store.close()


def code(act):
    with pytest.raises(UserError) as caught:
        act()
    return caught.value.code


def label(text):
    """What a text is called: the same in every process."""
    return blake2b(text.encode(), digest_size=3).hexdigest()


def notes(store, kind="note"):
    return [record for batch in store.scan([kind]) for record in batch]


def told(store):
    return {one.code for one in store.info().told}


def test_the_folder_is_found_from_above(folder):
    registry = Registry(formats(None))
    for path in (folder, folder.parent, folder.parent.parent):
        location = registry.locate(path)
        assert location.main == folder
        assert registry.probe(location)[0].name == "notes"


def test_an_edit_leaves_all_other_bytes(folder, opened):
    store = opened(folder)
    second = notes(store)[1]
    store.apply(Edit(Target(second.ref, second.etag), {"text": "another\ntext"}))
    expected = PROJECT.replace("second, 二\nline two", "another\ntext")
    assert (folder / "project.md").read_bytes() == expected.encode()


def test_crlf_stays_crlf(folder, opened):
    (folder / "user.md").write_bytes(b"eins\r\nzwei\r\n\r\ndrei\r\n")
    store = opened(folder)
    store.apply(
        Edit(Target(Ref(store.id, "note", ("user", label("drei")))), {"text": "vier\nfünf"})
    )
    store.add(NewRecord("note", {"text": "sechs\nsieben", "type": "user"}))
    assert (folder / "user.md").read_bytes() == (
        "eins\r\nzwei\r\n\r\nvier\r\nfünf\r\n\r\nsechs\r\nsieben\r\n".encode()
    )


def test_a_missing_final_newline_is_told_and_mended_by_a_change(folder, opened):
    (folder / "project.md").write_bytes(b"one\n\ntwo")
    store = opened(folder)
    assert "notes.no_final_newline" in told(store)
    store.add(NewRecord("note", {"text": "three"}))
    assert (folder / "project.md").read_bytes() == b"one\n\ntwo\n\nthree\n"
    (folder / "project.md").write_bytes(b"one\n\ntwo")
    store.apply(Edit(Target(notes(store)[0].ref), {"text": "ONE"}))
    assert (folder / "project.md").read_bytes() == b"ONE\n\ntwo\n"
    assert "notes.no_final_newline" not in told(store)


def test_what_cannot_be_known_is_said(folder, opened):
    (folder / "user.md").write_bytes(b"\xef\xbb\xbfa\r\n\r\nb\nc\n")
    assert told(opened(folder)) == {"notes.empty_lines", "notes.mixed_ends", "notes.bom"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "record.text_empty"),
        (" \n ", "record.text_empty"),
        ("(empty)", "record.note_reserved"),
        ("one\n\ntwo", "record.two_notes"),
        ("half \ud800", "record.not_unicode"),
        ("first", "record.key_taken"),
    ],
)
def test_what_is_never_stored(folder, opened, text, expected):
    store = opened(folder)
    assert code(lambda: store.add(NewRecord("note", {"text": text}))) == expected
    assert (folder / "project.md").read_bytes() == PROJECT.encode()


def test_the_first_note_makes_the_file(folder, opened):
    store = opened(folder)
    store.add(NewRecord("note", {"text": "about me", "type": "user"}))
    assert (folder / "user.md").read_bytes() == b"about me\n"
    assert (folder / "user.md").stat().st_mode & 0o777 == 0o600


def test_the_last_note_leaves_an_empty_file(folder, opened):
    store = opened(folder)
    for record in notes(store):
        store.delete(Target(record.ref, record.etag))
    assert (folder / "project.md").read_bytes() == b""
    assert store.info().counts == {"note": {}, "session": {}}


def test_a_note_moves_to_the_other_file(folder, opened):
    store = opened(folder)
    ref = notes(store)[0].ref
    changes = store.apply(Edit(Target(ref), {"type": "user"}))
    assert changes == ChangeSet(
        added=(Ref(store.id, "note", ("user", label("first"))),), removed=(ref,)
    )
    assert (folder / "user.md").read_bytes() == b"first\n"
    assert (folder / "project.md").read_bytes() == PROJECT.encode()[len("first\n\n") :]


def test_labels_stay_while_others_go_and_the_agent_appends(folder, opened):
    store, other = opened(folder), opened(folder, Mode.LOOK)
    keys = [r.ref.key for r in notes(other)]
    assert keys[0] == ("project", label("first"))
    store.delete(Target(Ref(store.id, "note", keys[1])))
    with (folder / "project.md").open("a") as stream:
        stream.write("\nappended\n")
    for seen in (store, other):
        assert [r.ref.key for r in notes(seen)] == [
            keys[0],
            keys[2],
            ("project", label("appended")),
        ]


def test_the_same_command_again_never_means_another_note(folder):
    """Each command is a process of its own: what was deleted is gone, not the next one's name."""
    for expected in (None, "record.gone"):
        store = NotesFormat().open(Location((folder.resolve(),)), None, Mode.CHANGE)
        target = Target(Ref(store.id, "note", ("project", label("first"))))
        if expected:
            assert code(lambda: store.delete(target)) == expected  # noqa: B023 - called at once
        else:
            store.delete(target)
        store.close()
    assert (folder / "project.md").read_text().startswith("second")


def test_what_the_agent_appends_at_the_same_moment_is_kept(folder, opened, monkeypatch):
    store = opened(folder)
    build = store.rewrite
    done = []

    def late(path, make, settle):
        def slow(doc):
            splices = make(doc)
            if not done:
                done.append(True)
                with path.open("a") as stream:
                    stream.write("\ntheirs\n")
            return splices

        return build(path, slow, settle)

    monkeypatch.setattr(store, "rewrite", late)
    store.apply(Edit(Target(notes(store)[0].ref), {"text": "mine"}))
    assert (folder / "project.md").read_text() == PROJECT.replace("first", "mine") + "\ntheirs\n"


class TestSessions:
    @pytest.fixture
    def session(self, folder):
        (folder / "sessions").mkdir()
        file = folder / "sessions" / "2026-10-03.json"
        file.write_text('{"messages": ["hallo 你好"]}')
        return file

    def test_it_is_a_record_that_can_be_deleted_and_put_back(self, folder, session, opened):
        store = opened(folder)
        (record,) = notes(store, "session")
        assert (record.title, record.text) == (session.name, session.read_text())
        assert "notes.sessions_unknown" in told(store)
        saved = store.snapshot([record.ref])
        assert store.delete(Target(record.ref, record.etag)) == ChangeSet(removed=(record.ref,))
        assert not session.exists()
        store.reinstate(saved)
        assert session.read_text() == record.text
        assert code(lambda: store.apply(Edit(Target(record.ref), {"text": "x"}))) == "store.cannot"

    def test_an_erase_of_a_note_cleans_it_and_one_of_it_takes_the_file(
        self, folder, session, opened
    ):
        store = opened(folder)
        (record,) = notes(store, "session")
        whole = store.erase_scope([record.ref])
        assert [(f.path, f.whole) for f in whole.files if f.is_written] == [(str(session), True)]
        note = store.erase_scope([notes(store)[0].ref])
        assert str(session) not in {file.path for file in note.files}
        assert [(f.path, f.cleanable) for f in store.side_files()] == [(str(session), True)]


class TestLinks:
    def test_a_link_out_of_the_folder_is_not_followed(self, folder, opened, tmp_path):
        (tmp_path / "secret").write_text("not a note")
        (folder / "user.md").symlink_to(tmp_path / "secret")
        store = opened(folder)
        assert all("not a note" not in record.text for record in notes(store))
        assert "notes.unread_link" in told(store)
        (folder / "sessions").symlink_to(tmp_path)
        assert notes(store, "session") == []


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_any_acts_leave_the_other_notes_as_they_are(tmp_path_factory, data):
    """A model: a list of texts. After each act the file says exactly them, in their order."""
    folder = tmp_path_factory.mktemp("notes")
    lines = (
        st.text(
            st.characters(
                codec="utf-8", exclude_characters="\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
            ),
            min_size=1,
            max_size=8,
        )
        .map(str.strip)
        .filter(bool)
    )
    model = data.draw(st.lists(lines, min_size=1, max_size=5, unique=True))
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    (folder / "project.md").write_bytes((end + end).join(model).encode() + end.encode())
    store = NotesFormat().open(Location((folder.resolve(),)), None, Mode.CHANGE)
    try:
        for _ in range(data.draw(st.integers(1, 5))):
            records = notes(store)
            assert [record.text for record in records] == model
            act = data.draw(st.sampled_from(["add", "edit", "delete", "undo"]))
            text = data.draw(lines.filter(lambda t: t not in model and t != "(empty)"))
            place = data.draw(st.integers(0, max(0, len(records) - 1)))
            if act == "add" or not records:
                store.add(NewRecord("note", {"text": text}))
                model.append(text)
            elif act == "edit":
                store.apply(Edit(Target(records[place].ref, records[place].etag), {"text": text}))
                model[place] = text
            else:
                saved = store.snapshot([records[place].ref])
                before = (folder / "project.md").read_bytes()
                store.delete(Target(records[place].ref, records[place].etag))
                if act == "undo":
                    store.reinstate(saved)
                    assert store.fetch([records[place].ref])[0] == records[place]
                    if place < len(records) - 1:
                        assert (folder / "project.md").read_bytes() == before
                else:
                    del model[place]
        assert [record.text for record in notes(store)] == model
    finally:
        store.close()
