# SPDX-License-Identifier: MIT
"""The settings file: typed, versioned, whole, private, and nothing is lost by it."""

from __future__ import annotations

import os
import stat
import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_gui.domain.errors import UserError
from memory_gui.services.own.settings import Settings, SettingValues
from memory_gui.services.own.settings_file import VERSION, _toml


@pytest.fixture
def file(tmp_path):
    return tmp_path / "deep" / "settings.toml"


def written(file, text):
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def test_are_kept_in_a_private_file(file):
    Settings(file).change(appearance="dark", auto_lock_minutes=0, look_in=("/home/ann/a b",))
    wanted = SettingValues(appearance="dark", auto_lock_minutes=0, look_in=("/home/ann/a b",))
    assert Settings(file).values == wanted
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [path.name for path in file.parent.iterdir()] == ["settings.toml"]
    assert tomllib.loads(file.read_text())["version"] == VERSION


def test_the_defaults_that_were_promised():
    values = SettingValues()
    assert values.auto_lock_minutes == 5
    assert values.clipboard_seconds == 45
    assert values.lock_on_screen_lock
    assert values.lock_on_sleep
    assert values.mask_secrets
    assert values.block_capture
    assert not values.hide_at_start


@pytest.mark.parametrize(
    "value",
    [
        {"appearance": "pink"},
        {"auto_lock_minutes": -1},
        {"auto_lock_minutes": True},
        {"mask_secrets": 1},
        {"nothing_like_it": 1},
        {"look_in": ("relative",)},
        {"look_in": ["/a"]},
        {"look_in": ("/a\0b",)},
        {"clipboard_seconds": 4000},
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(file, value):
    with pytest.raises(UserError, match=r"settings\.invalid"):
        Settings(file).change(**value)
    assert not file.exists()


def test_deleting_the_file_is_harmless(file):
    made = Settings(file)
    made.change(appearance="dark")
    file.unlink()
    assert Settings(file).values == SettingValues()
    assert Settings(file).take_problem() is None
    assert made.change(density="compact").appearance == "system"


@pytest.mark.parametrize("text", ["no toml at all [", "\x00", b"\xff\xfe", 'version = "two"\n'])
def test_a_damaged_file_is_said_once_and_kept_beside(file, text):
    written(file, text)
    before = file.read_bytes()
    made = Settings(file)
    assert made.values == SettingValues()
    problem = made.take_problem()
    assert problem is not None
    assert problem.code == "settings.damaged"
    assert made.take_problem() is None
    assert file.read_bytes() == before
    made.change(appearance="dark")
    assert Settings(file).values == SettingValues(appearance="dark")
    assert file.with_name("settings.toml.damaged").read_bytes() == before


def test_an_empty_file_is_no_damage(file):
    assert Settings(written(file, "")).take_problem() is None


def test_one_bad_value_does_not_lose_the_good_ones(file):
    written(file, 'appearance = "pink"\ntext_scale = 125\n')
    assert Settings(file).values == SettingValues(text_scale=125)


def test_the_first_version_is_understood(file):
    """It wrote every value and no version."""
    written(
        file,
        'language = "zh_CN"\nappearance = "dark"\nauto_lock_minutes = 10\nmask_secrets = true\n'
        "remember_stores = false\nscripts_may_use_keychain = true\n",
    )
    wanted = SettingValues(
        language="zh_CN",
        appearance="dark",
        auto_lock_minutes=10,
        remember_stores=False,
        scripts_may_use_keychain=True,
    )
    assert Settings(file).values == wanted
    Settings(file).change(density="compact")
    assert tomllib.loads(file.read_text())["version"] == VERSION
    assert Settings(file).values.auto_lock_minutes == 10


def test_keys_of_others_are_kept(file):
    more = '"a b" = [1, {x = "\\u0007"}]\nwhen = 2026-11-01T10:00:00Z\n[table]\nq = 1.5\n'
    written(file, f"version = {VERSION}\n{more}")
    unknown = {k: v for k, v in tomllib.loads(file.read_text()).items() if k != "version"}
    Settings(file).change(appearance="dark")
    found = tomllib.loads(file.read_text())
    assert found == {"version": VERSION, "appearance": "dark", **unknown}


def test_a_newer_file_is_read_and_never_written(file):
    written(file, f'version = {VERSION + 1}\nappearance = "dark"\nlater = 1\n')
    before = file.read_bytes()
    made = Settings(file)
    assert made.values.appearance == "dark"
    assert made.take_problem().code == "settings.newer"
    with pytest.raises(UserError, match=r"settings\.newer"):
        made.change(appearance="light")
    assert file.read_bytes() == before
    assert made.values.appearance == "dark"


def test_two_copies_of_the_app_do_not_undo_each_other(file):
    window, terminal = Settings(file), Settings(file)
    window.change(appearance="dark")
    terminal.change(scripts_may_use_keychain=True)
    assert window.change(density="compact") == SettingValues(
        appearance="dark", scripts_may_use_keychain=True, density="compact"
    )


def test_a_pipe_in_its_place_does_not_hang(file):
    file.parent.mkdir()
    os.mkfifo(file)
    assert Settings(file).take_problem().code == "settings.damaged"


def test_a_folder_that_cannot_be_written_changes_nothing(file):
    file.parent.write_text("a file where the folder should be")
    made = Settings(file)
    made.take_problem()
    with pytest.raises(UserError, match=r"settings\.not_saved"):
        made.change(appearance="dark")
    assert made.values == SettingValues()


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives(text):
    assert tomllib.loads(f"x = {_toml(text)}")["x"] == text


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=200))
def test_no_file_stops_the_program(tmp_path, raw):
    file = tmp_path / "settings.toml"
    file.write_bytes(raw)
    assert isinstance(Settings(file).values, SettingValues)
