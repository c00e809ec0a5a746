# SPDX-License-Identifier: MIT
"""Files that stay: known through links, in the note of an erase, and apart in its proof."""

import pytest

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.keptfiles import KeptFile
from memory_gui.erasure.joining import together
from memory_gui.erasure.keptfiles import (
    apart,
    by_path,
    limit_of,
    passages_limit,
    spare,
    spared,
    still_kept,
    told_apart,
)
from memory_gui.erasure.plan import ErasePlan, StorePlan, plan_of, scheme_of
from memory_gui.erasure.proof import Find, KeptIn, Proof
from memory_gui.words import Words
from memory_gui.words.erasure import limit
from memory_gui.words.reasons import kept_line


def file(path, *, cleanable=True):
    return SideFile(str(path), "log", cleanable=cleanable, whole=cleanable)


def plan(*files, kept=()):
    return ErasePlan((StorePlan("/m.db", "agentao", False, (), (), side_files=files, kept=kept),))


def test_a_link_to_its_folder_leads_to_the_same_file(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for name in ("a.log", "b.log"):
        (tmp_path / "real" / name).touch()
    kept = by_path([KeptFile(str(tmp_path / "real/a.log"), "keep", "keep.cannot", 4)])
    one, other = file(tmp_path / "link/a.log"), file(tmp_path / "link/b.log")
    done = spare([one, other], kept)
    assert done.files == (file(one.path, cleanable=False), other)
    assert done.kept == (KeptFile(one.path, "keep", "keep.cannot", 4),)


def test_a_plan_made_before_and_one_made_after_leave_it_as_it_is():
    hold = KeptFile("/a.log", "hold", "hold.claims", 2)
    before = plan(file("/a.log"), kept=(KeptFile("/a.log", "keep"),))
    both = together(before, spared(plan(file("/a.log")), by_path([hold])))
    assert both.side_files == (file("/a.log", cleanable=False),)
    assert both.kept == (hold,)


def test_it_is_in_the_note_of_an_erase_and_a_later_decision_replaces_it():
    kept = (KeptFile("/a.log", "keep", "keep.cannot", 4), KeptFile("/b.log", "hold", "", 0))
    (store,) = plan(kept=kept).stores
    assert plan_of(store.path, scheme_of(store)).kept == kept
    assert still_kept(kept, (), [file("/a.log")]) == kept[1:]


def test_what_stands_in_it_speaks_against_nothing_and_is_never_called_gone():
    finds = (Find("/a.log", "log", 2), Find("/b.log", "log", 1), Find("/c", "log", 0, "x"))
    kept = (KeptFile("/a.log", "keep"), KeptFile("/c", "hold", "hold.claims", 3))
    proof = told_apart(Proof("structure", finds=finds), kept)
    assert proof.still_in == finds[1:2]
    assert proof.kept_in == (KeptIn(kept[0], 2, None, "log"), KeptIn(kept[1], 0, "x", "log"))
    assert apart(finds, ()) == (list(finds), [])


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("what", ["keep", "hold"])
@pytest.mark.parametrize("reason", ["", "hold.claims", "of.another.version"])
def test_each_is_named_with_its_reason(language, what, reason):
    kept, words = KeptFile("/a.log", what, reason, 31), Words(language)
    limits = [limit_of(KeptIn(kept, 7)), limit_of(KeptIn(kept, 0, "x")), passages_limit(kept, 7)]
    for text in (*(limit(words, o.code, o.params) for o in limits), kept_line(words, kept, 7)):
        assert "/a.log" in text
        assert ("31" in text) == (what == "hold")
        assert "limit." not in text
        assert "{" not in text
