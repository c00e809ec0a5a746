# SPDX-License-Identifier: MIT
"""Writes the copy for a person: a folder, a zip, or a zip in a file encrypted with a passphrase."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, cast

from memory_gui.cases.case import Case
from memory_gui.cases.finds import Finds
from memory_gui.domain.errors import UserError
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.cases.cases import Cases
from memory_gui.services.cases.finding.contents import Content
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.copies import agefile
from memory_gui.services.copies.data import document
from memory_gui.services.copies.pages import page
from memory_gui.services.copies.rows import Head, head_of, rows
from memory_gui.services.own.files import new_file
from memory_gui.words import LANGUAGES, Words
from memory_gui.words.copies import DATA, FILES

LEAST: Final = 12
"""Letters of a passphrase: whoever gets the file can try as many as they like."""
_STEP: Final = "copy"

Pieces = Callable[[], Iterator[bytes]]


class Form(StrEnum):
    """How the copy is handed over."""

    FOLDER = "folder"
    ZIP = "zip"
    SEALED = "sealed"
    """A zip in an ``age`` file."""


ENDINGS: Final[dict[Form, str]] = {Form.FOLDER: "", Form.ZIP: ".zip", Form.SEALED: ".zip.age"}


@dataclass(frozen=True, slots=True)
class Copied:
    """What was written. ``sha256`` is of the file, empty for a folder."""

    path: Path
    records: int
    files: tuple[str, ...]
    sha256: str = ""


def default_name(case: Case, form: Form) -> str:
    """A name that tells nobody whom it is about."""
    number = f"-{case.number}" if case.number else ""
    return f"copy-of-case{number}{ENDINGS[form]}"


def write_copy(
    cases: Cases,
    case: Case,
    finds: Finds,
    where: Where,
    out: Path,
    *,
    form: Form = Form.FOLDER,
    numbers: Collection[int] = (),
    passphrase: str = "",
    languages: Sequence[str] = LANGUAGES,
    tick: Tick = no_tick,
    cancel: CancelToken | None = None,
    work: int = agefile.WORK,
) -> Copied:
    """Write the finds with these numbers (none: all) for the person, as pages and as JSON.

    Files are 0600 and folders 0700, nothing is ever written over, and what was begun is removed
    again when it fails or is stopped. A sealed copy is never on the disk in clear. Any thread but
    the window's own. ``work`` is log2 of scrypt's N.

    Raises:
        UserError: ``copy.exists``, ``copy.failed``, ``copy.passphrase``, ``copy.nothing``.
    """
    if form is Form.SEALED and len(passphrase) < LEAST:
        raise UserError("copy.passphrase", least=LEAST)
    chosen = [find for find in finds.finds if not numbers or find.number in numbers]
    if not chosen:
        raise UserError("copy.nothing")
    head = head_of(case, finds, chosen, datetime.now(UTC).astimezone())
    wanted = [find.number for find in chosen]
    contents = partial(cases.contents, finds, where, wanted, cancel=cancel)
    files = _files(
        head, contents, len(wanted), [Words(one) for one in languages], _Work(tick, cancel)
    )
    try:
        if form is Form.FOLDER:
            _write_folder(out, files)
        else:
            _write_zip(out, files, passphrase if form is Form.SEALED else "", work)
    except FileExistsError as error:
        raise UserError("copy.exists", path=str(out)) from error
    except OSError as error:
        raise UserError("copy.failed", path=str(out), reason=error.strerror or "") from error
    digest = "" if form is Form.FOLDER else _digest(out)
    return Copied(out, len(chosen), tuple(files), digest)


def open_copy(path: Path, out: Path, passphrase: str) -> Path:
    """Decrypt a sealed copy into a new zip file (0600); gives its path. Any thread.

    Raises:
        UserError: ``copy.exists``, ``copy.failed``, ``copy.not_sealed``,
            ``copy.wrong_passphrase``, ``copy.damaged``: then no file is left.
    """
    try:
        with path.open("rb") as sealed, new_file(out) as stream:
            for chunk in agefile.opened(sealed, passphrase):
                stream.write(chunk)
    except FileExistsError as error:
        raise UserError("copy.exists", path=str(out)) from error
    except OSError as error:
        raise UserError("copy.failed", path=str(path), reason=error.strerror or "") from error
    return out


@dataclass(frozen=True, slots=True)
class _Work:
    """Who is told how far it is, and who may stop it."""

    tick: Tick
    cancel: CancelToken | None

    def check(self) -> None:
        if self.cancel is not None:
            self.cancel.check()


def _files(
    head: Head,
    contents: Callable[[], Iterator[Content]],
    count: int,
    spoken: Sequence[Words],
    work: _Work,
) -> dict[str, Pieces]:
    """Name -> what makes its pieces. The stores are read once for each: no record is held."""
    steps = len(spoken) + 1

    def found(step: int) -> Iterator[dict[str, object]]:
        for done, row in enumerate(rows(head, contents()), 1):
            work.check()
            yield row
            work.tick(_STEP, step * count + done, steps * count)

    files: dict[str, Pieces] = {}
    for step, words in enumerate(spoken):
        files[FILES[words.language]] = partial(_page, head, partial(found, step), words)
    files[DATA] = partial(_data, head, partial(found, len(spoken)), spoken)
    return files


def _page(
    head: Head, found: Callable[[], Iterator[dict[str, object]]], words: Words
) -> Iterator[bytes]:
    return page(head, found(), words)


def _data(
    head: Head, found: Callable[[], Iterator[dict[str, object]]], spoken: Sequence[Words]
) -> Iterator[bytes]:
    return document(head, found(), spoken)


def _write_folder(out: Path, files: dict[str, Pieces]) -> None:
    out.mkdir(mode=0o700)
    try:
        for name, pieces in files.items():
            with new_file(out / name) as stream:
                for piece in pieces():
                    stream.write(piece)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise


def _write_zip(out: Path, files: dict[str, Pieces], passphrase: str, work: int) -> None:
    with (
        new_file(out) as stream,
        _sealing(stream, passphrase, work) as into,
        zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for name, pieces in files.items():
            info = zipfile.ZipInfo(name, datetime.now().astimezone().timetuple()[:6])
            info.external_attr = 0o100600 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            with packed.open(info, "w", force_zip64=True) as member:
                for piece in pieces():
                    member.write(piece)


@contextmanager
def _sealing(stream: BinaryIO, passphrase: str, work: int) -> Iterator[BinaryIO]:
    if not passphrase:
        yield stream
        return
    sealed = agefile.AgeWriter(stream, passphrase, work=work)
    yield cast("BinaryIO", sealed)
    sealed.close()


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
