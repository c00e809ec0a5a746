# SPDX-License-Identifier: MIT
"""A destroyed store: no key, no byte, no name; and what it is called where a key stays."""

import json
from pathlib import Path

import pytest
from keychains import SECRETS, ManyKeychains

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.erasure.result import EraseState
from memory_gui.services import build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.words import Words

KEY = RawKey(bytes(range(32)))
TEXT = "destroy canary zqxv"


@pytest.fixture
def place(tmp_path):
    """An encrypted store whose key is in the keychain, open."""
    file = tmp_path / "atlas/.agentao/memory.db"
    file.parent.mkdir(parents=True)
    create_store(file, KEY)
    keychain = ManyKeychains(SECRETS)
    keychain.store(file.read_bytes()[:16], "a", KEY)
    services = build_services(
        words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=keychain
    )
    (store,) = services.library.open(tmp_path / "atlas")
    services.editing.add(store.id, NewRecord("memory", {"title": "canary", "text": TEXT}))
    yield services, store, keychain, file
    services.close()


def test_key_and_file_are_gone_and_the_receipt_says_so(place, tmp_path):
    services, store, keychain, file = place
    plan = services.destroying.plan(store.id)
    assert (plan.key, plan.records > 0) == ("removed", True)
    done = services.destroying.run(plan, receipt=tmp_path / "r.json")
    assert done.gone.state is EraseState.PROVED
    assert done.cryptographic
    assert not list(file.parent.glob("memory.db*"))
    assert not [key for key in keychain.entries.values() if key == KEY]
    written = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert (written["kind"], written["signed"]) == ("store", True)
    assert services.receipts.verify(tmp_path / "r.json").code == "ours"
    assert str(file) not in [one.path for one in services.library.known()]


def test_what_is_left_beside_it_is_named_in_plan_and_receipt(place, tmp_path):
    services, store, _, file = place
    folder = file.parent.parent
    beside = {
        "agentao.log": "a line of no importance",
        "AGENTAO.md": f"by hand: {TEXT}",
        ".agentao/sessions/one.json": json.dumps({"said": TEXT}),
        ".agentao/sessions/two.json": json.dumps({"said": "something else"}),
    }
    for name, text in beside.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    plan = services.destroying.plan(store.id)
    left = {(one.code, Path(one.params["path"]).name) for one in plan.may_hold}
    assert left == {
        ("hold.log", "agentao.log"),
        ("hold.file", "AGENTAO.md"),
        ("hold.session", "one.json"),
    }
    assert {Path(one.where).name for one in plan.side_files} == {"AGENTAO.md", "one.json"}
    done = services.destroying.run(plan, receipt=tmp_path / "r.json")
    assert done.gone.state is EraseState.PROVED
    written = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert {one["code"] for one in written["may_still_hold"]} == {one for one, _ in left}
    assert len(written["side_files"]) == 2
    assert TEXT not in (tmp_path / "r.json").read_text("utf-8")


def test_another_file_under_the_same_key_keeps_it(place):
    services, store, keychain, file = place
    (file.parent / "backup.db").write_bytes(file.read_bytes())
    plan = services.destroying.plan(store.id)
    assert plan.key == "kept-for-files"
    done = services.destroying.run(plan)
    assert not done.cryptographic
    assert not file.exists()
    assert KEY in keychain.entries.values()


def test_a_keychain_that_does_not_let_go_changes_nothing(place):
    services, store, keychain, file = place
    keychain.stuck.add(SECRETS)
    before = file.read_bytes()
    with pytest.raises(UserError):
        services.destroying.run(services.destroying.plan(store.id))
    assert len(file.read_bytes()) == len(before)
    assert KEY in keychain.entries.values()
