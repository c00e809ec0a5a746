# SPDX-License-Identifier: MIT
"""An erase that another copy of the app finishes: it looks where the first would have."""

from __future__ import annotations

import os
import signal

from memory_gui.domain.changes import NewRecord
from memory_gui.erasure.result import EraseState

TEXT = "the canary of this test sings at seven every morning"


def note():
    return NewRecord("memory", {"title": "canary", "text": TEXT, "scope": "project"})


def test_beside_a_link_by_which_the_store_was_opened(tmp_path, empty_store, services_in, holder):
    main = empty_store(tmp_path / "atlas/.agentao")
    link = tmp_path / "elsewhere/.agentao/memory.db"
    link.parent.mkdir(parents=True)
    link.symlink_to(main)
    log = tmp_path / "elsewhere/agentao.log"
    log.write_text(f"saved: {TEXT}\n", "utf-8")
    first = services_in(tmp_path)
    store = first.library.open(link)[0]
    ref = first.editing.add(store.id, note()).changes.added[0]
    pid = holder(main)
    held = first.erasing.run(first.erasing.plans.plan([ref]))
    assert held.state is EraseState.NOT_FINISHED
    first.close()
    os.kill(pid, signal.SIGKILL)
    other = services_in(tmp_path)
    (entry,) = other.erasing.pending()
    link.unlink()  # what lies beside it lies there still
    done = other.erasing.resume(entry)
    assert done.state is EraseState.PROVED
    assert [find.where for find in done.cleaned] == [str(log)]
    assert TEXT not in log.read_text("utf-8")
