# SPDX-License-Identifier: MIT
"""A small disk of our own: an ext4 image in memory, mounted by a loop device; and what is on it.

Needs root. The image begins as zeros, so whatever is found on it was put there by the workload or
by the erase. Encrypted databases are looked for by decrypting the whole image at every alignment
of an AES block: a block needs only the one before it, so no page borders are needed.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

SIZE = 24 << 20
BLOCK = 4096
_ZEROS = bytes(BLOCK)
_PATIENCE_S = 120


class Disk:
    """The image and where it is mounted."""

    def __init__(self, folder: Path, size: int = SIZE) -> None:
        self._size = size
        self.image = folder / "disk.img"
        self.mount_point = folder / "disk"
        self.mount_point.mkdir()
        with self.image.open("wb") as stream:
            stream.truncate(size)
        _run("mkfs.ext4", "-q", "-F", "-b", str(BLOCK), "-E", "nodiscard", str(self.image))

    @contextmanager
    def mounted(self) -> Iterator[Path]:
        """The file system, written back and unmounted at the end."""
        _run("mount", "-o", "loop", str(self.image), str(self.mount_point))
        try:
            yield self.mount_point
        finally:
            _run("sync", "-f", str(self.mount_point), check=False)  # one that died cannot
            _run("umount", str(self.mount_point))
            self._wait_until_left()

    def _wait_until_left(self) -> None:
        """Until nobody has the file system.

        A process with mounts of its own that began meanwhile has a copy of this one, and as long as
        it lives, mounting the image again gives the same file system: one that died stays dead.
        """
        end = time.monotonic() + _PATIENCE_S
        loops, image = list(Path("/sys/block").glob("loop*")), str(self.image.resolve())
        while any(_backing(loop) == image for loop in loops):
            assert time.monotonic() < end, "another process has the disk mounted"
            time.sleep(0.01)

    def remount(self, how: str) -> None:
        """``ro`` or ``rw``, while it is mounted."""
        _run("mount", "-o", f"remount,{how}", str(self.mount_point))

    @contextmanager
    def leaving(self, blocks: int) -> Iterator[None]:
        """All but so many blocks are taken by another file."""
        other = self.mount_point / "ballast"
        more = self._size // BLOCK
        with other.open("wb") as stream:
            number = stream.fileno()
            while more:
                try:
                    os.posix_fallocate(number, os.fstat(number).st_size, more * BLOCK)
                except OSError:  # some blocks nobody gets: the file system keeps them
                    more //= 2
            os.ftruncate(number, max(0, os.fstat(number).st_size - blocks * BLOCK))
            os.fsync(number)
        try:
            yield
        finally:
            other.unlink()

    def hits(self, marker: bytes, key: bytes | None = None) -> list[int]:
        """Where the marker is on the whole disk, in clear or under the key."""
        found = []
        for start, data in self._written():
            found += [start + at for at in _marks(data, marker, key)]
        return sorted(found)

    @staticmethod
    def marks(file: Path, marker: bytes, key: bytes | None = None) -> int:
        """How often it is in a file, in clear or under the key; 0 where there is none."""
        return sum(1 for _ in _marks(file.read_bytes(), marker, key)) if file.exists() else 0

    def _written(self) -> Iterator[tuple[int, bytes]]:
        """Runs of blocks that are not zero."""
        data = self.image.read_bytes()
        start = None
        for at in range(0, self._size + 1, BLOCK):
            used = at < self._size and data[at : at + BLOCK] != _ZEROS
            if used and start is None:
                start = at
            if not used and start is not None:
                yield start, data[start:at]
                start = None


def _marks(data: bytes, marker: bytes, key: bytes | None) -> Iterator[int]:
    yield from _find(data, marker)
    for shift in range(16) if key else ():
        size = (len(data) - shift) // 16 * 16
        decryptor = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).decryptor()
        clear = decryptor.update(data[shift : shift + size])
        yield from (shift + at for at in _find(clear, marker))


def _find(data: bytes, marker: bytes) -> Iterator[int]:
    at = data.find(marker)
    while at >= 0:
        yield at
        at = data.find(marker, at + 1)


def _backing(loop: Path) -> str:
    """The file behind a loop device; nothing where there is none."""
    try:
        return (loop / "loop/backing_file").read_text().strip()
    except OSError:
        return ""


def _run(*argv: str, check: bool = True) -> None:
    subprocess.run(argv, check=check, capture_output=True, timeout=60)
