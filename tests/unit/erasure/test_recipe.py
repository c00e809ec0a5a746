# SPDX-License-Identifier: MIT
"""The recipe for each kind of database, and that each kind is proved and keeps its settings."""

import random

import pytest
import workload

from memory_gui.erasure.eraser import Eraser
from memory_gui.erasure.recipe import FLUSH, Case, recipe_for

SETTINGS = ("page_size", "auto_vacuum", "encoding", "user_version", "application_id")


def with_a_long_schema(path, key, seed):
    """Enough tables for a schema of several small pages, some of them dropped again."""
    dice = random.Random(seed)
    sql = ["PRAGMA secure_delete = OFF", "PRAGMA user_version = 7", "PRAGMA application_id = 99"]
    for number in range(40):
        columns = ", ".join(f"c{number}_{i} TEXT" for i in range(dice.randint(1, 30)))
        sql.append(f"CREATE TABLE e{number} (id INTEGER PRIMARY KEY, {columns})")
        if number and dice.random() < 0.3:
            sql.append(f"DROP TABLE e{number}")
    workload.statement(path, key, *sql)


@pytest.mark.parametrize("size", [512, 1024, 2048, 65536])
@pytest.mark.parametrize("seed", range(2))
def test_small_and_large_pages_are_proved_clean(built, erase, look, size, seed):
    made = built(page_size=size)
    with_a_long_schema(made.path, None, seed)
    assert erase(made)["erased"]
    proof = look(made)
    assert proof.clean, proof
    assert workload.verify(made.path)["integrity"] == "ok"


def test_in_the_schemas_own_pages_only_copies_of_it_are_passed_over(built, erase, look):
    made = built(page_size=2048)
    with_a_long_schema(made.path, None, 1)
    erase(made)
    copies = look(made).structure.schema_copies
    assert copies > 0
    data = bytearray(made.path.read_bytes())
    place = data.index(b"CREATE TABLE e", 2048)
    gap = data.index(bytes(64), place)
    data[gap + 20 : gap + 27] = b"private"
    made.path.write_bytes(data)
    proof = look(made)
    assert proof.structure.by_place == {"gaps": 7}
    assert not proof.clean


CASES = {
    "memory": {"journal": "memory"},
    "persist": {"journal": "persist"},
    "truncate": {"journal": "truncate"},
    "full": {"auto_vacuum": 1, "full_text": "own"},
    "incremental": {"auto_vacuum": 2, "die": True},
    "utf16": {"encoding": "UTF-16le", "die": True},
    "sqlcipher3": {"key": workload.KEY, "compatibility": 3, "die": True},
    "encrypted-full": {"key": workload.KEY, "auto_vacuum": 1, "die": True, "analyze": True},
}


@pytest.mark.parametrize("case", CASES)
def test_each_case_is_proved_and_keeps_its_settings(built, erase, look, case):
    options = CASES[case]
    made = built(**options)
    answer = erase(made)
    assert answer["erased"]
    kept = next(step for step in answer["steps"] if step[0] == "settings-again")
    assert [sql for sql, _ in kept[3]] == [f"PRAGMA {name}" for name in SETTINGS]
    assert dict(kept[3])["PRAGMA auto_vacuum"] == str(options.get("auto_vacuum", 0))
    assert look(made).clean


def test_a_setting_that_is_another_one_afterwards_is_no_success(built, erase, monkeypatch):
    made = built()
    monkeypatch.setattr("memory_gui.engine.wipe.Wipe.vacuum", _change_a_setting)
    assert erase(made)["failed"] == "erase.step"


def _change_a_setting(wipe):
    wipe._connection.execute("PRAGMA user_version = 12345")
    return "changed"


def test_what_a_database_has_not_needs_no_step():
    steps = recipe_for(Case("wal")).steps
    assert not {"full-text", "statistics", "log-mode", "keep-journal", "new-key"} & set(steps)
    assert steps.index("lock") < steps.index("zero-log") < steps.index("delete")


def test_external_indexes_are_built_again_after_vacuum_and_contentless_ones_are_not():
    again = recipe_for(Case("wal", ("external",))).after
    assert again.index("full-text-again") > again.index("vacuum")
    assert again[again.index("full-text-again") + 1 :][:3] == FLUSH
    assert "full-text-again" not in recipe_for(Case("wal", ("none",))).after


def test_a_new_key_comes_after_vacuum_and_before_the_log_is_cut():
    recipe = recipe_for(Case("delete", encrypted=True, new_key=True))
    places = [recipe.after.index(name) for name in ("vacuum", "new-key", "truncate-log")]
    assert places == sorted(places)
    assert recipe.close == ("check", "check-key")
    assert recipe.name == "in-place-wipe-and-rekey"


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_destroyed_database_is_zeros_before_its_name_goes(built, journal):
    made = built(journal=journal)
    eraser = Eraser()
    with made.path.open("rb") as held:  # the same inode, after its name is gone
        for message in (
            {"do": "open", "path": str(made.path), "key": None, "rows": []},
            {"do": "prepare"},
            {"do": "destroy"},
        ):
            answer = eraser.handle(message, lambda _: None)
        assert answer["destroyed"], answer
        assert not list(made.path.parent.glob("mem.db*"))
        assert not held.read().strip(b"\0")
