# SPDX-License-Identifier: MIT
"""Texts under eight bytes are found in every row that has them, and in no other."""

import json
import random

import pytest

from memory_gui.erasure.prover import prove_files

WORD = "vim"
HOLDING = [
    "vim", "VIM", "he uses vim.", "x" * 6000 + " vim", "vim" + "记忆" * 3000,
    json.dumps({"editor": "vim"}), '{"editor": "\\u0076im"}', '{\\"editor\\": \\"\\\\u0076im\\"}',
]  # fmt: skip
PART_OF_A_WORD = ["vimeo", "xvimx"]
LONG_WITHOUT = ["y" * 7000, '{"a": "\\u0065macs"}']
WITHOUT = ["vi", "emacs", "v i m", "记忆", "im v", "", None, 7]


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
@pytest.mark.parametrize("words", [True, False])
def test_they_are_found_in_the_rows_that_have_them(tmp_path, peer, encoding, words):
    dice = random.Random(11)
    few = [*HOLDING, *PART_OF_A_WORD, *LONG_WITHOUT]
    rows = [
        (n, dice.choice(WITHOUT), few[n // 97 % len(few)] if n % 97 == 0 else "", f"key {n} " * 9)
        for n in range(1, 97 * 2 * len(few))
    ]
    path = tmp_path / "a.db"
    other = peer(path, sets=f"PRAGMA encoding = '{encoding}'")
    other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, a, b, c)")
    other.do("BEGIN")
    other.many("INSERT INTO notes VALUES (?, ?, ?, ?)", rows)
    other.do("COMMIT")
    other.close()
    proof = prove_files(path, None, [WORD], words=words)
    wanted = HOLDING if words else [*HOLDING, *PART_OF_A_WORD]
    assert sorted(hit.ref for hit in proof.kept_hits) == sorted(
        f"notes:{n}" for n, _, value, _ in rows if value in wanted
    )
    assert proof.hits == 0
