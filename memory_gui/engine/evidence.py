# SPDX-License-Identifier: MIT
"""What can be known about a file before any connection and any prompt."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from memory_gui.domain.errors import UserError
from memory_gui.engine.gate import descriptor

Head = Literal["empty", "plain", "half", "random", "other"]
"""``half``: encrypted but for its first bytes (SQLCipher's plaintext header)."""

PLAIN_MAGIC: Final = b"SQLite format 3\0"
SIDECARS: Final = ("-wal", "-shm", "-journal")

_LOOK: Final = 512
_SMALLEST_PAGE: Final = 512
# 512 random bytes hold 221 different values on average (deviation 5); texts hold below 100.
_RANDOM_VALUES: Final = 180
_RANDOM_REST: Final = 165
"""The same of the 412 bytes behind the header: 205 on average."""
# An encrypted file begins with any 16 bytes: a beginning that one file in 65,536 has by chance
# would lock people out of their stores. Each of these is one in four thousand million or rarer;
# kinds of files with shorter marks (programs) are told by what follows, which is not random.
_OTHER_KINDS: Final = re.compile(
    rb"PK\x03\x04"
    rb"|\x89PNG\r\n\x1a\n"
    rb"|\xff\xd8\xff(?:\xdb\x00[\x43\x84]|[\xe0-\xef]..(?:JFIF|Exif|ICC_|Adob|http))"
    rb"|\x1f\x8b\x08[\x00-\x1f].{4}[\x00\x02\x04][\x00-\x0d\xff]"  # RFC 1952
    rb"|%PDF-"
    rb"|BZh[1-9]1AY&SY"
    rb"|7z\xbc\xaf\x27\x1c"
    rb"|\xfd7zXZ\x00"
    rb"|\x28\xb5\x2f\xfd"
    rb"|\x7fELF"
    rb"|RIFF"
    rb"|OggS"
    rb"|Salted__"
    rb"|age-encryption",
    re.DOTALL,
)
_NETWORK: Final = frozenset(
    [
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "9p",
        "afs",
        "ceph",
        "glusterfs",
        "fuse.sshfs",
        "fuse.rclone",
        "fuse.gvfsd-fuse",
        "fuse.davfs",
        "davfs",
        "ncpfs",
        "lustre",
        "beegfs",
        "webdav",
    ]
)


_NO_FILES: Final = frozenset(
    ["proc", "sysfs", "devtmpfs", "devpts", "cgroup", "cgroup2", "securityfs", "debugfs", "autofs"]
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a file looks like from outside.

    ``salt`` is the first 16 bytes (names an encrypted store; empty when shorter), ``sidecars``
    maps ``-wal``, ``-shm``, ``-journal`` to their sizes in bytes where they exist. ``wal_mode`` is
    None where the header is encrypted. ``told_size`` is how many bytes a readable header says that
    the file has, None where it does not say. ``device`` and ``inode`` tell whether it is still the
    same file. ``network_fs`` is the type of a network file system, or None.
    """

    path: Path
    size: int
    head: Head
    salt: bytes
    readable: bool
    writable: bool
    folder_writable: bool
    owner_is_me: bool
    sidecars: Mapping[str, int]
    network_fs: str | None
    wal_mode: bool | None
    device: int
    inode: int
    told_size: int | None = None
    exists: bool = True
    is_folder: bool = False

    @property
    def is_cut_off(self) -> bool:
        """Whether the file surely lacks its end: it ends inside a page, or is shorter than it says.

        Beside a log nothing is sure, since the log may mend the file.
        """
        if self.has_log:
            return False
        return bool(self.size % _SMALLEST_PAGE) or (self.told_size or 0) > self.size

    @property
    def is_encrypted(self) -> bool:
        """Whether a key is needed to read it."""
        return self.head in ("random", "half")

    @property
    def has_log(self) -> bool:
        """Whether a log lies beside it that is not empty."""
        return any(self.sidecars.get(suffix) for suffix in ("-wal", "-journal"))


def inspect(path: str | Path, *, any_kind: bool = False) -> Evidence:
    """Look at a file without changing it, before any connection.

    ``any_kind`` also lets a file pass that is no database: a store may be of another kind.

    Raises:
        UserError: ``store.missing``, ``store.is_folder``, ``store.empty_file``,
            ``store.no_permission``, ``store.not_a_database``, ``store.not_a_file``,
            ``store.odd_log``, ``store.io``.
    """
    resolved = _resolve(Path(path))
    status = _status(resolved)
    sidecars = _sidecars(resolved)
    if status.st_size == 0:
        raise UserError("store.empty_file", path=str(resolved))
    try:
        with descriptor(resolved) as number:
            head = os.pread(number, _LOOK, 0) if sys.platform != "win32" else os.read(number, _LOOK)
    except PermissionError as error:
        raise UserError("store.no_permission", path=str(resolved)) from error
    except OSError as error:
        raise UserError("store.io", path=str(resolved)) from error
    kind = classify(head)
    if kind == "other" and not any_kind:
        raise UserError("store.not_a_database", path=str(resolved))
    plain = kind == "plain"
    return Evidence(
        path=resolved,
        size=status.st_size,
        head=kind,
        salt=head[:16] if len(head) >= 16 else b"",
        readable=True,
        writable=os.access(resolved, os.W_OK),
        folder_writable=os.access(resolved.parent, os.W_OK | os.X_OK),
        owner_is_me=_is_mine(status),
        sidecars=sidecars,
        network_fs=network_file_system(resolved),
        wal_mode=head[18:20] == b"\x02\x02" if plain and len(head) >= 20 else None,
        device=status.st_dev,
        inode=status.st_ino,
        told_size=_told_size(head) if plain else None,
    )


def require_whole(evidence: Evidence) -> None:
    """Refuse a file that has lost its end, before anybody is asked for a key that cannot help.

    Raises:
        UserError: ``store.cut_off``, and what ``inspect`` raises.
    """
    # Looked at a second time: a program may have made the file longer during the first.
    if evidence.is_cut_off and inspect(evidence.path).is_cut_off:
        raise UserError("store.cut_off", path=str(evidence.path))


def _told_size(head: bytes) -> int | None:
    """https://sqlite.org/fileformat2.html 1.3.2, 1.3.8: valid while two counters are the same."""
    if len(head) < 100 or head[24:28] != head[92:96]:
        return None
    page_size = int.from_bytes(head[16:18], "big")
    return int.from_bytes(head[28:32], "big") * (65_536 if page_size == 1 else page_size)


def classify(head: bytes) -> Head:
    """Judge the first 512 bytes: SQLite's magic, encrypted (looks random), or something else."""
    if not head:
        return "empty"
    if head.startswith(PLAIN_MAGIC):
        return "half" if _is_half(head) else "plain"
    if _OTHER_KINDS.match(head) or len(head) < _LOOK:
        return "other"
    return "random" if len(set(head[:_LOOK])) >= _RANDOM_VALUES else "other"


def _is_half(head: bytes) -> bool:
    """Whether behind a readable beginning the header is none: encrypted.

    https://sqlite.org/fileformat2.html 1.3: bytes 72 to 91 are zero, and the first page's b-tree
    begins at byte 100 with 2, 5, 10 or 13.
    """
    if len(head) < _LOOK or not any(head[72:92]):
        return False
    return len(set(head[100:_LOOK])) >= _RANDOM_REST


def network_file_system(path: Path, mounts: str | None = None) -> str | None:
    """The type of the network file system that the path lies on, or None."""
    kind = file_system(path, mounts)
    return kind if kind in _NETWORK else None


def file_system(path: Path, mounts: str | None = None) -> str | None:
    """The type of the file system that the path lies on (Linux: proc(5), mountinfo)."""
    best, kind = "", ""
    for where, type_ in _mounts(mounts):
        if _is_below(str(path), where) and len(where) >= len(best):
            best, kind = where, type_
    return kind or None


def far_mounts(mounts: str | None = None) -> frozenset[str]:
    """Where network file systems, and those that hold no files of anybody's, are mounted."""
    return frozenset(
        where
        for where, type_ in _mounts(mounts)
        if type_ in _NETWORK | _NO_FILES or type_.startswith("fuse.")
    )


def _mounts(mounts: str | None) -> Iterator[tuple[str, str]]:
    """(mount point, type), as the kernel lists them."""
    if mounts is None:
        try:
            mounts = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
        except OSError:
            return
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        parts, more = fields.split(" "), rest.split(" ")
        if len(parts) >= 5 and more:
            yield parts[4].encode("utf-8", "surrogateescape").decode("unicode_escape"), more[0]


def _is_below(path: str, folder: str) -> bool:
    return folder in ("/", path) or path.startswith(folder + "/")


def _resolve(path: Path) -> Path:
    try:
        return path.expanduser().resolve(strict=True)
    except PermissionError as error:
        raise UserError("store.no_permission", path=str(path)) from error
    except (OSError, ValueError, RuntimeError) as error:
        # Also a loop of links, a name that is too long, a NUL: nothing is there.
        raise UserError("store.missing", path=str(path)) from error


def _status(path: Path) -> os.stat_result:
    try:
        status = path.stat(follow_symlinks=False)
    except OSError as error:
        raise UserError("store.missing", path=str(path)) from error
    if stat.S_ISDIR(status.st_mode):
        raise UserError("store.is_folder", path=str(path))
    if not stat.S_ISREG(status.st_mode):
        raise UserError("store.not_a_file", path=str(path))
    return status


def _sidecars(path: Path) -> dict[str, int]:
    found = {}
    for suffix in SIDECARS:
        try:
            status = os.stat(f"{path}{suffix}", follow_symlinks=False)  # noqa: PTH116 - a suffix
        except OSError:
            continue
        if not stat.S_ISREG(status.st_mode):
            # SQLite only says that it cannot open the database, and not why.
            raise UserError("store.odd_log", path=f"{path}{suffix}")
        found[suffix] = status.st_size
    return found


def _is_mine(status: os.stat_result) -> bool:
    return sys.platform == "win32" or status.st_uid == os.geteuid()
