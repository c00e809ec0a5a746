# SPDX-License-Identifier: MIT
"""An existing file never leads to a new key: who may make one is a short list."""

import ast
from pathlib import Path

from memory_gui.vault.newkey import new_key

PACKAGE = Path(__file__).parents[3] / "memory_gui"
RANDOM = {"token_bytes", "urandom", "randbytes", "getrandom", "SystemRandom"}


def called(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            function = node.func
            names.add(
                function.attr
                if isinstance(function, ast.Attribute)
                else getattr(function, "id", "")
            )
    return names


def modules(below: str = "") -> list[tuple[str, Path]]:
    return [(str(f.relative_to(PACKAGE)), f) for f in sorted((PACKAGE / below).rglob("*.py"))]


def test_keys_differ_and_are_32_bytes():
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert {len(bytes(key)) for key in keys} == {32}


def test_in_the_vault_only_new_key_makes_one():
    makers = [name for name, file in modules("vault") if called(file) & {*RANDOM, "new_key"}]
    assert makers == ["vault/newkey.py"]


def test_who_calls_it():
    imports = "from memory_gui.vault.newkey import"
    callers = {name for name, file in modules() if imports in file.read_text(encoding="utf-8")}
    # The ledger: only where there is neither a file nor a key. Marks, receipts: only on Absent.
    # Services and rotation: for a store that is not encrypted yet, and for the sample.
    others = {
        name
        for name in callers - {"ledger/ledger.py", "ledger/marks.py", "ledger/receipts.py"}
        if not name.startswith(("services/", "rotation/", "stores/sample"))
    }
    assert others == set()
