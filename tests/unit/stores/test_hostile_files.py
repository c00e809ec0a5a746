# SPDX-License-Identifier: MIT
"""Hostile text files: bounded time and memory, a clear message, nothing followed or executed."""

import json
import os

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.stores.format import Mode
from memory_gui.stores.registry import Registry, formats

REGISTRY = Registry(formats(None))
FAST_S = 6.0
"""On a busy machine; none of these takes a second on an idle one."""


@pytest.fixture(autouse=True)
def quick(stopwatch):
    watch = stopwatch()
    yield
    assert watch.seconds < FAST_S


def opened(path, mode=Mode.LOOK):
    return REGISTRY.open(REGISTRY.locate(path), None, mode)


def records(store):
    return [record for batch in store.scan() for record in batch]


def code(act):
    with pytest.raises(UserError) as caught:
        act()
    return caught.value.code


BEGINS = {
    "memory.jsonl": b'{"type":"entity","name":"',
    "project.md": b"a note ",
    "memory.json": b'{"memories": [',
}


def outcome(path):
    """The error's code, or how many records there are, each of which can be written down."""
    try:
        store = opened(path)
    except UserError as error:
        return [error.code]
    found = records(store)
    store.close()
    for record in found:
        "".join(record.searchable()).encode()
    return [f"{len(found)} record{'' if len(found) == 1 else 's'}"]


@pytest.mark.parametrize("name", BEGINS)
class TestAnyFormat:
    def test_a_gigabyte_in_one_line(self, tmp_path, name):
        path = tmp_path / name
        with path.open("wb") as stream:
            stream.write(BEGINS[name] + b"x" * 70_000)
            stream.truncate(1 << 30)
        assert outcome(path) == ["store.too_big"]

    def test_deep_json(self, tmp_path, name):
        path = tmp_path / name
        path.write_bytes(BEGINS[name] + b"[" * 2_000_000)
        assert outcome(path) == (["file.not_json"] if name == "memory.json" else ["1 record"])

    def test_bytes_of_every_kind(self, tmp_path, name):
        path = tmp_path / name
        path.write_bytes(BEGINS[name] + b"x" * 600 + bytes(range(1, 256)) * 40)
        (found,) = outcome(path)
        assert found == ("file.not_json" if name == "memory.json" else found)
        assert found.endswith("records") is (name != "memory.json")

    def test_what_is_no_file(self, tmp_path, name):
        os.mkfifo(tmp_path / name)
        assert code(lambda: opened(tmp_path / name)) == "store.not_a_file"

    def test_a_loop_of_links(self, tmp_path, name):
        (tmp_path / name).symlink_to(tmp_path / name)
        assert code(lambda: opened(tmp_path / name)) == "store.missing"


class TestLinks:
    """A folder from somebody else must not show, change or erase another file of the person's."""

    @pytest.fixture
    def folder(self, tmp_path):
        place = tmp_path / ".agent-harness" / "memory"
        place.mkdir(parents=True)
        (place / "project.md").write_text("a note\n")
        self.victim = tmp_path / "precious.txt"
        self.victim.write_text("not a note at all\n")
        return place

    def test_a_file_is_shown_and_changed_by_no_link(self, folder):
        (folder / "user.md").symlink_to(self.victim)
        store = opened(folder, Mode.CHANGE)
        scope = store.erase_scope([record.ref for record in records(store)])
        assert [file.path for file in scope.files] == [str(folder / "project.md")]
        assert all("precious" not in record.text for record in records(store))
        store.close()
        assert self.victim.read_text() == "not a note at all\n"

    def test_a_link_between_two_looks(self, folder):
        store = opened(folder, Mode.CHANGE)
        (record,) = records(store)
        (folder / "project.md").unlink()
        (folder / "project.md").symlink_to(self.victim)
        assert store.fetch([record.ref]) == (None,)
        store.close()

    def test_a_link_that_is_named_is_followed_once_and_stays_what_it_was(self, folder):
        """A person's own link to a store is that store, by its true path."""
        link = folder.parent / "here"
        link.symlink_to(folder)
        assert REGISTRY.locate(link).main == folder


class TestNames:
    def test_control_characters_in_names_and_keys(self, tmp_path):
        name = "a\x00b\x1b[31m\u202e\ud800/%"
        rows = [
            {
                "type": "entity",
                "name": name,
                "entityType": "\x07",
                "observations": ["\x1b]0;x\x07"],
            },
            {"type": "relation", "from": name, "to": "\u2028", "relationType": "\n"},
        ]
        path = tmp_path / "memory.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        store = opened(path, Mode.CHANGE)
        found = records(store)
        assert len(found) == 3
        for record in found:
            "".join((*record.searchable(), *record.ref.key)).encode()
            scope = store.erase_scope([record.ref])
            assert any(file.cuts for file in scope.files)
        store.close()

    def test_equal_keys_and_numbers_that_are_none(self, tmp_path):
        path = tmp_path / "memory.jsonl"
        path.write_text(
            '{"type":"entity","type":"relation","from":"a","to":"b","relationType":"c"}\n'
            '{"type":"entity","name":"x","entityType":"t","observations":[],"n":NaN}\n'
            '{"type":"entity","name":"y","entityType":"t","observations":[],"n":1e999}\n'
        )
        kinds = [record.kind for record in records(opened(path))]
        assert kinds == ["relation", "line", "entity"]

    def test_old_json_with_odd_entries(self, tmp_path):
        path = tmp_path / "memory.json"
        odd = [None, 5, [], {}, {"key": None, "value": {"a": [1]}, "tags": "x"}, {"key": "\ud800"}]
        path.write_text(json.dumps({"memories": odd}))
        found = records(opened(path))
        assert len(found) == len({record.ref for record in found}) == len(odd)


def test_ten_thousand_notes_and_sessions(tmp_path):
    place = tmp_path / ".agent-harness" / "memory"
    (place / "sessions").mkdir(parents=True)
    (place / "project.md").write_text("\n\n".join(f"note {n}" for n in range(10_000)) + "\n")
    for number in range(300):
        (place / "sessions" / f"{number}.json").write_text("{}")
    store = opened(place)
    assert len(records(store)) == 10_300
    store.close()
