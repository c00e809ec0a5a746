# SPDX-License-Identifier: MIT
"""Files of ``age``: one that age itself made is opened, and what was changed is noticed."""

import io
import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.services.copies import agefile

WORK = 4
PASSPHRASE = "correct horse battery"
MADE = Path(__file__).parents[3] / "data/copies/made-by-age-1.1.1.age"


def sealed(data, *, work=WORK):
    out = io.BytesIO()
    writer = agefile.AgeWriter(out, PASSPHRASE, work=work)
    for start in range(0, len(data), 40_000):
        writer.write(data[start : start + 40_000])
    writer.close()
    return out.getvalue()


def opened(data, passphrase=PASSPHRASE):
    return b"".join(agefile.opened(io.BytesIO(data), passphrase))


def code(data, passphrase=PASSPHRASE):
    with pytest.raises(UserError) as caught:
        opened(data, passphrase)
    return caught.value.code


def test_what_age_made_is_opened():
    assert opened(MADE.read_bytes()).decode() == "made by age 1.1.1 from Debian: 张伟\n"


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
def test_there_and_back(size):
    data = os.urandom(size)
    assert opened(sealed(data)) == data


def test_another_passphrase_opens_nothing():
    assert code(sealed(b"secret"), "correct horse batterx") == "copy.wrong_passphrase"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-1],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: data[: -(4_464 + 16)],  # the last chunk is gone
        lambda data: data + b"x",
        lambda data: data.replace(b"\n---", b"\n---", 1)[:190] + b"AAAA" + data[194:],
    ],
)
def test_what_was_changed_or_cut_off_is_noticed(spoil):
    assert code(spoil(sealed(os.urandom(70_000)))) == "copy.damaged"


def test_a_header_that_was_changed_is_noticed():
    data = sealed(b"secret")
    at = data.index(b"--- ") + 6
    other = b"A" if data[at : at + 1] != b"A" else b"B"
    assert code(data[:at] + other + data[at + 1 :]) == "copy.damaged"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        b"age-encryption.org/v1\n-> X25519 abc\n",
        sealed(b"x").replace(b" 4\n", b" 30\n"),  # it would take the memory of the computer
    ],
)
def test_what_is_no_such_file(data):
    assert code(data) == "copy.not_sealed"


@pytest.mark.skipif(shutil.which("age") is None, reason="needs age")
def test_age_opens_ours(tmp_path):
    """It asks for the passphrase at a terminal of its own."""
    data = os.urandom(70_000)
    (tmp_path / "ours.age").write_bytes(sealed(data, work=10))
    leader, follower = pty.openpty()
    argv = ["setsid", "-c", "age", "-d", "-o", "out", "ours.age"]
    with subprocess.Popen(argv, stdin=follower, cwd=tmp_path, stderr=subprocess.PIPE) as age:
        os.close(follower)
        os.read(leader, 100)
        os.write(leader, PASSPHRASE.encode() + b"\n")
        assert age.wait(60) == 0
    os.close(leader)
    assert (tmp_path / "out").read_bytes() == data
