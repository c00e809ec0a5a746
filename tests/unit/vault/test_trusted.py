# SPDX-License-Identifier: MIT
"""Four classes by name, and nothing that asks for another one is followed."""

import ast
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from keyring.backends import SecretService, Windows, kwallet, macOS

from memory_gui.vault.trusted import TRUSTED, choose, ignored

PACKAGE = Path(__file__).parents[3] / "memory_gui"


class Works:
    viable = True


class Not:
    viable = False
    priority = 1


def classes(**viable: bool):
    return {name: Works if viable.get(name.partition(".")[0]) else Not for name in TRUSTED}


def test_the_four_classes_are_keyrings_own():
    assert list(TRUSTED.values()) == [
        SecretService.Keyring,
        kwallet.DBusKeyring,
        macOS.Keyring,
        Windows.WinVaultKeyring,
    ]


@pytest.mark.parametrize(
    ("recorded", "platform", "viable", "name", "reasons"),
    [
        ("", "linux", {"SecretService": True, "kwallet": True}, "SecretService.Keyring", ()),
        (
            "kwallet.DBusKeyring",
            "linux",
            {"SecretService": True, "kwallet": True},
            "kwallet.DBusKeyring",
            (),
        ),
        (
            "kwallet.DBusKeyring",
            "linux",
            {"SecretService": True},
            "SecretService.Keyring",
            ("not-there:kwallet.DBusKeyring",),
        ),
        (
            "macOS.Keyring",
            "linux",
            {"SecretService": True, "macOS": True},
            "SecretService.Keyring",
            ("foreign:macOS.Keyring",),
        ),
        (
            "keyrings.alt.file.PlaintextKeyring",
            "linux",
            {"SecretService": True},
            "SecretService.Keyring",
            ("unknown:keyrings.alt.file.PlaintextKeyring",),
        ),
        ("", "darwin", {"SecretService": True, "macOS": True}, "macOS.Keyring", ()),
        ("", "win32", {"SecretService": True, "Windows": True}, "Windows.WinVaultKeyring", ()),
        (
            "",
            "linux",
            {},
            "",
            ("not-there:SecretService.Keyring", "not-there:kwallet.DBusKeyring"),
        ),
    ],
)
def test_the_recorded_one_is_asked_first(recorded, platform, viable, name, reasons):
    chosen = choose(recorded, platform, classes(**viable))
    assert chosen.name == name
    assert (chosen.entries is None) == (name == "")
    assert chosen.reasons == reasons


def test_keyrings_own_words_say_why_one_is_not_there():
    class Silent:
        viable = False

        @property
        def _(self) -> None: ...

    class Meta(type):
        @property
        def priority(cls) -> float:
            raise RuntimeError("no daemon")

    class Gone(metaclass=Meta):
        viable = False

    chosen = choose("", "win32", {"Windows.WinVaultKeyring": Gone})
    assert chosen.reasons == ("not-there:Windows.WinVaultKeyring: no daemon",)


def test_nothing_asks_for_another_one(tmp_path: Path):
    points = [EntryPoint("SecretService", "keyring.backends.SecretService", "keyring.backends")]
    assert ignored("", tmp_path, points) == ()


def test_what_asks_for_another_one_is_named(tmp_path: Path):
    file = tmp_path / "keyringrc.cfg"
    file.write_text("[backend]\ndefault-keyring=evil.Keyring\nkeyring-path=/tmp/evil\n")
    points = [
        EntryPoint("alt", "keyrings.alt.file", "keyring.backends"),
        EntryPoint("SecretService", "keyring.backends.SecretService", "keyring.backends"),
    ]
    assert ignored("keyring.backends.null.Keyring", tmp_path, points) == (
        "PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring",
        f"{file}: default-keyring=evil.Keyring",
        f"{file}: keyring-path=/tmp/evil",
        "keyrings.alt.file",
    )


def test_an_unreadable_configuration_is_named_too(tmp_path: Path):
    file = tmp_path / "keyringrc.cfg"
    file.write_bytes(b"no section\xff")
    assert ignored("", tmp_path, []) == (f"{file}: unreadable",)


def test_no_source_calls_keyrings_own_choice():
    """``keyring.get_keyring()`` and friends run planted code before any check (SAFETY 0.8)."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found += [
                    (file.name, a.name) for a in node.names if a.name.partition(".")[0] == "keyring"
                ]
            elif (
                isinstance(node, ast.ImportFrom)
                and (node.module or "").partition(".")[0] == "keyring"
            ):
                found += [(file.name, f"{node.module}.{a.name}") for a in node.names]
    assert sorted(found) == [
        ("trusted.py", "keyring.backends.SecretService"),
        ("trusted.py", "keyring.backends.Windows"),
        ("trusted.py", "keyring.backends.kwallet"),
        ("trusted.py", "keyring.backends.macOS"),
        ("trusted.py", "keyring.util.platform_"),
    ]
