# SPDX-License-Identifier: MIT
"""Text in other files is overwritten where it lies; the format stays; links are not followed."""

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_gui.domain.erasing import SideFile
from memory_gui.erasure import sideclean
from memory_gui.erasure.sideclean import clean_side_files

TEXT = "用户的身份证号码是“3301”，喜欢 vim 和 C++; said \\ twice 😀 and once more"


def clean(path, encoding="text", texts=(TEXT,), what="log"):
    file = SideFile(str(path), what, encoding, cleanable=True)
    return clean_side_files(texts, [file], lambda *_: None)


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("twice", [True, False])
def test_json_stays_json_with_and_without_escapes(tmp_path, ascii_only, twice):
    path = tmp_path / "session.json"
    content = {"n": 1, "messages": [{"content": f"before {TEXT} after", "ok": True}], "k": "v"}
    value = {"wrapped": json.dumps(content, ensure_ascii=ascii_only)} if twice else content
    path.write_text(json.dumps(value, ensure_ascii=ascii_only), "utf-8")
    size, inode = path.stat().st_size, path.stat().st_ino
    (found,) = clean(path, "json")
    assert (found.count, found.error) == (1, None)
    assert (path.stat().st_size, path.stat().st_ino) == (size, inode)
    read = json.loads(path.read_text("utf-8"))
    read = json.loads(read["wrapped"]) if twice else read
    said = read["messages"][0].pop("content")
    assert said.startswith("before ***")
    assert said.endswith("*** after")
    assert set(said) <= set("before *after")
    assert read == {"n": 1, "messages": [{"ok": True}], "k": "v"}
    assert clean(path, "json") == []


SHOWN = {
    "repr": repr,
    "ascii": ascii,
    "bytes": lambda text: repr(text.encode()),
    "json in repr": lambda text: repr(json.dumps(text)),
    "ascii in json": lambda text: json.dumps(ascii(text)),
    "bytes in json": lambda text: json.dumps(repr(text.encode())),
}


@pytest.mark.parametrize(
    "text", [TEXT, "café à\xa0l’été\x1b[0m", "it's “two”\nlines\tof — 😀😀😀😀", "naïve\x07"]
)
@pytest.mark.parametrize("how", SHOWN)
def test_as_python_shows_a_text_or_bytes(tmp_path, how, text):
    path = tmp_path / "agentao.log"
    shown = SHOWN[how](text)
    path.write_text(f"DEBUG saved {shown} at 1\n", "utf-8")
    (found,) = clean(path, texts=[text])
    assert (found.count, found.error) == (1, None)
    left = path.read_text("utf-8")
    assert len(left.encode()) == len(f"DEBUG saved {shown} at 1\n".encode())
    said = left.removeprefix("DEBUG saved ").removesuffix(" at 1\n")
    assert set(said) <= set("b'\"\\*"), said  # quotes stay, and nothing of the text
    assert clean(path, texts=[text]) == []


def test_json_that_is_itself_the_text_keeps_its_marks(tmp_path):
    path = tmp_path / "tasks.json"
    text = '{"name": "Li Lei", "phone": "13800138000", "city": "Hangzhou"}'
    path.write_text(text, "utf-8")
    clean(path, "json", [text])
    pairs = json.loads(path.read_text("utf-8"), object_pairs_hook=list)
    assert [value for _, value in pairs] == ["*" * 6, "*" * 11, "*" * 8]


def test_json_lines_one_of_them_torn(tmp_path):
    path = tmp_path / "replay.jsonl"
    lines = [json.dumps({"seq": n, "payload": TEXT if n % 2 else "kept"}) for n in range(4)]
    path.write_text("\n".join([*lines, '{"seq": 9, "payload": "tor']), "utf-8")
    clean(path, "json")
    read = [json.loads(line) for line in path.read_text("utf-8").splitlines()[:-1]]
    assert [set(one["payload"]) for one in read] == [set("kept"), {"*"}] * 2


@pytest.mark.parametrize("at", [0, (1 << 20) - 40, (1 << 20) - (1 << 16) - 7, (1 << 20) + 3])
def test_a_text_across_the_chunks_of_a_long_log_is_gone_whole(tmp_path, at):
    path = tmp_path / "agentao.log"
    data = b"." * at + TEXT.encode() + b"." * 900_000
    path.write_bytes(data)
    clean(path)
    size = len(TEXT.encode())
    assert path.read_bytes() == b"." * at + b"*" * size + b"." * 900_000


def test_a_text_that_is_longer_than_the_chunks_of_a_long_log_is_gone_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(sideclean, "_CHUNK", 1 << 14)
    monkeypatch.setattr(sideclean, "_OVERLAP", 1 << 10)
    text = "begin " + "".join(f"记忆 {number} " for number in range(4_000)) + " end"
    assert len(text.encode()) > 2 * sideclean._CHUNK
    path = tmp_path / "agentao.log"
    before = "a line that stays\n" * 9
    path.write_text(f"{before}INFO {text}\n{before}DEBUG {text}\n{before}", "utf-8")
    size = path.stat().st_size
    (found,) = clean(path, texts=(text,))
    assert found.error is None
    left = path.read_text("utf-8")
    assert left.encode().replace(b"*", b"") == (f"{before}INFO \n{before}DEBUG \n{before}").encode()
    assert path.stat().st_size == size
    assert clean(path, texts=(text,)) == []


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(before=st.text(max_size=40), after=st.text(max_size=40), text=st.text(min_size=12))
def test_any_json_stays_json_and_loses_nothing_else(tmp_path, before, after, text):
    path = tmp_path / "any.json"
    path.write_text(json.dumps(["#" + before + "#", text, "#" + after + "#"]), "utf-8")
    clean(path, "json", [text])
    first, middle, last = json.loads(path.read_text("utf-8"))
    assert set(middle) == {"*"} or len(text.encode("utf-8", "replace")) < 8
    if text.casefold() not in (before + after).casefold():
        assert (first, last) == ("#" + before + "#", "#" + after + "#")


def test_a_link_a_second_name_and_what_is_not_the_agents_are_left_alone(tmp_path):
    victim = tmp_path / "victim.txt"
    victim.write_text(TEXT, "utf-8")
    (tmp_path / "link.log").symlink_to(victim)
    os.link(victim, tmp_path / "name.log")
    assert [found.error for found in clean(tmp_path / "link.log")] == ["raw.link"]
    assert [found.error for found in clean(tmp_path / "name.log")] == ["raw.hard_links"]
    by_hand = SideFile(str(victim), "instructions")
    assert clean_side_files([TEXT], [by_hand], lambda *_: None) == []
    assert clean(tmp_path / "gone.log") == []
    assert victim.read_text("utf-8") == TEXT


def test_what_is_written_meanwhile_is_not_overwritten(tmp_path, monkeypatch):
    path = tmp_path / "agentao.log"
    path.write_text(TEXT, "utf-8")

    def change(data, spans):
        path.write_bytes(bytes(len(data)))
        return list(spans)

    monkeypatch.setattr(sideclean, "whole_letters", change)
    (found,) = clean(path)
    assert found.error == "raw.not_open"
    assert not path.read_bytes().strip(b"\0")
