# SPDX-License-Identifier: MIT
"""Files of our own making: 0600, never through a link, never over something else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file that did not exist, 0600; removed again when writing it fails.

    Raises:
        OSError: FileExistsError also for a link, dangling or not.
    """
    descriptor = os.open(path, _NEW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def write_whole(path: Path, data: bytes) -> None:
    """Put ``data`` in place of a file at once: the reader sees the old or the new one."""
    beside = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    with new_file(beside) as stream:
        stream.write(data)
    try:
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
