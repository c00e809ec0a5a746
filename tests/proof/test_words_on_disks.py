# SPDX-License-Identifier: MIT
"""Where overwriting does not reach the old blocks, the word is never the plain "proved gone"."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.keys import RawKey
from memory_gui.erasure.result import EraseState
from memory_gui.services import build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words
from memory_gui.words.erasure import IN_FILES, STATES, state_text

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="needs e2fsprogs"),
]

KINDS = {
    "data-journal": (("mkfs.ext4", "-q"), "data=journal", "limit.data_journal"),
    "ordered": (("mkfs.ext4", "-q"), "data=ordered", None),
    "btrfs": (("mkfs.btrfs", "-q"), "", "limit.copy_on_write"),
}


@pytest.fixture(params=KINDS)
def mounted(request, tmp_path):
    """A folder on such a disk, and the limit that it has."""
    make, options, code = KINDS[request.param]
    if shutil.which(make[0]) is None:
        pytest.skip(f"needs {make[0]}")
    image, folder = tmp_path / "disk", tmp_path / "mounted"
    with image.open("wb") as stream:
        stream.truncate((128 if request.param == "btrfs" else 24) << 20)
    folder.mkdir()
    subprocess.run([*make, str(image)], check=True)
    choice = ["-o", f"loop,{options}" if options else "loop"]
    subprocess.run(["mount", *choice, str(image), str(folder)], check=True)
    yield folder, code
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("key", [None, RawKey(bytes(range(32)))], ids=["readable", "new-key"])
def test_the_word_for_a_store_on_this_disk(mounted, tmp_path, key):
    folder, code = mounted
    store = folder / "atlas/.agentao/memory.db"
    store.parent.mkdir(parents=True)
    create_store(store, key)
    services = build_services(
        words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    opened = services.library.open(store, key=key)[0]
    new = {"title": "canary", "text": "the canary sings at seven", "scope": "project"}
    (ref,) = services.editing.add(opened.id, NewRecord("memory", new)).changes.added
    plan = services.erasing.plans.plan([ref], policy="new" if key else None)
    given = RawKey(bytes(range(32, 64))) if key else None
    result = services.erasing.run(plan, new_key=given, receipt=tmp_path / "receipt.json")
    services.close()
    reached = code is None or key is not None
    assert result.state is EraseState.PROVED
    assert result.out_of_reach is not reached
    codes = {limit.code for limit in result.not_covered}
    assert code is None or (code in codes) is (key is None)
    said = state_text(Words(), "proved", out_of_reach=result.out_of_reach)
    assert said == (STATES["proved"] if reached else IN_FILES)
    assert json.loads((tmp_path / "receipt.json").read_text())["out_of_reach"] is not reached
