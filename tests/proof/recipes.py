# SPDX-License-Identifier: MIT
"""What four ways of deleting leave on a disk: prints the README's table. Needs root.

Usage: ``python tests/proof/recipes.py [--write]``. For each way and each kind of store: an ext4
image of zeros, on it a store in Agentao's layout in which every text that must go consists of one
mark; the way; and then every byte of the image, decrypted at every alignment where there is a key.
So what is found was left, or put there, by the way itself. ``--write`` puts the table into the
README. Agentao's own wipe is run by its own package (``packaging/peer``), and left out where that
cannot be had.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "tests/faults")]

import agentstore  # noqa: E402 - beside this file
from disk import Disk  # noqa: E402 - beside this file

README = ROOT / "README.md"
FIRST, LAST = "<!-- recipes: made by make recipes -->\n", "<!-- end of recipes -->\n"
MARK = agentstore.MARK.encode()
IDS = ", ".join(f"'{name}'" for name in agentstore.TARGET_IDS)
DELETE = (
    f"DELETE FROM memories WHERE id IN ({IDS})",
    "DELETE FROM memory_review_queue",
    f"DELETE FROM memory_events WHERE memory_id IN ({IDS})",
)
FOUR = ("PRAGMA secure_delete = ON", *DELETE, "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")
WIPE = """
import sys
path, key, *places = sys.argv[1:]
from agentao.memory.manager import MemoryManager
from agentao.memory.storage import SQLiteMemoryStore
if key:
    sys.path += places
    from memory_gui.agents import agentao_store
    from memory_gui.domain.keys import RawKey
    from memory_gui.vault.keychain import NoKeychain
    store = agentao_store(path, key=RawKey.from_hex(key), keychain=NoKeychain())
else:
    store = SQLiteMemoryStore.open(path)
manager = MemoryManager(store)
result = manager.wipe_all()
assert result.ok, result
manager.close()
"""


@dataclass(frozen=True)
class Kind:
    """A kind of store; ``new_key`` opens it after our own erase."""

    name: str
    journal: str
    key: str | None = None
    new_key: str | None = None


KINDS = (
    Kind("readable, WAL", "wal"),
    Kind("readable, DELETE", "delete"),
    Kind("encrypted, WAL", "wal", agentstore.KEY, agentstore.NEW_KEY),
)


def ours(path: Path, kind: Kind) -> str | None:
    """``memory-cli erase``; the key that opens the store then."""
    words = [str(ROOT / ".venv/bin/memory-cli"), "erase", str(path), *agentstore.TARGET_IDS]
    line = shlex.join([*words, "--yes", "--no-keychain"])
    if kind.key:
        line += f" --key-fd 3 --new-key-fd 4 3< <(printf {kind.key}) 4< <(printf {kind.new_key})"
    home = path.parent / "home"
    home.mkdir()
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home)}
    subprocess.run(["bash", "-c", line], check=True, capture_output=True, env=environment)
    return kind.new_key


def statements(path: Path, kind: Kind, given: tuple[str, ...]) -> str | None:
    """As a program gives them, in a process of its own."""
    pid = os.fork()
    if pid == 0:
        connection = agentstore.connect(path, kind.key)
        for sql in given:
            connection.execute(sql).fetchall()
        connection.close()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    return kind.key


def agents_own(path: Path, kind: Kind) -> str | None:
    """Agentao's "clear", by Agentao; over an encrypted store through our connection."""
    peer = [str(ROOT / "packaging/peer"), "agentao-0.5.17"]
    python = subprocess.run(peer, check=True, capture_output=True, text=True).stdout.strip()
    places = {Path(sys.modules[name].__file__ or "").parents[1] for name in ("sqlcipher3", "babel")}
    argv = [python, "-I", "-c", WIPE, str(path), kind.key or "", str(ROOT), *map(str, places)]
    subprocess.run(argv, check=True, capture_output=True, cwd="/")
    return kind.key


WAYS: Mapping[str, Callable[[Path, Kind], str | None]] = {
    "`memory-cli erase`": ours,
    "`secure_delete`, `DELETE`, `VACUUM`, checkpoint": lambda p, k: statements(p, k, FOUR),
    "a plain `DELETE`": lambda p, k: statements(p, k, DELETE),
    "Agentao’s own wipe (`/memory clear`)": agents_own,
}


def made(path: Path, kind: Kind) -> None:
    """A store at rest, with residue of earlier versions in it."""
    pid = os.fork()
    if pid == 0:
        agentstore.make(path, kind.key, kind.journal)
    os.waitpid(pid, 0)
    agentstore.look(path, kind.key)  # its last writer died: the log, or the journal, is worked in


def left(way: Callable[[Path, Kind], str | None] | None, kind: Kind) -> tuple[int, int]:
    """Hits in the files, and in what belongs to no file, after one way (None: before any)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made(folder / "memory.db", kind)
        disk = Disk(folder)
        with disk.mounted() as mount:
            path = mount / "memory.db"
            shutil.copyfile(folder / "memory.db", path)
            path.chmod(0o600)
            key = way(path, kind) if way is not None else kind.key
        with disk.mounted() as mount:
            inside = sum(agentstore.hits(file, None) for file in mount.rglob("*") if _plain(file))
            if key is not None:  # hits looks at the log and the journal beside it, too
                inside = agentstore.hits(mount / "memory.db", key)
        found = len(disk.hits(MARK, bytes.fromhex(key) if key else None))
        return inside, found - inside


def _plain(file: Path) -> bool:
    """The database, whose logs are looked at with it, and every file of ours."""
    return file.is_file() and not file.name.endswith(("-wal", "-journal", "-shm"))


def table() -> str:
    """The Markdown."""
    names = " | ".join(kind.name for kind in KINDS)
    lines = [f"| what was done | {names} |", "|---|" + "---|" * len(KINDS)]
    before = [left(None, kind)[0] for kind in KINDS]
    lines.append("| nothing yet | " + " | ".join(f"{number:,}" for number in before) + " |")
    for said, way in WAYS.items():
        cells = []
        for kind in KINDS:
            inside, outside = left(way, kind)
            bare = "**0**" if inside == outside == 0 else f"{inside:,} + {outside:,}"
            cells.append(bare)
        lines.append(f"| {said} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Print it, or put it into the README."""
    if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
        print("needs root and e2fsprogs: it mounts disks of its own")
        return 3
    import babel  # noqa: F401, PLC0415 - where it lies
    import sqlcipher3  # noqa: F401, PLC0415 - before any fork

    made_now = table()
    print(made_now)
    if "--write" in sys.argv:
        page = README.read_text("utf-8")
        start, end = page.index(FIRST) + len(FIRST), page.index(LAST)
        README.write_text(page[:start] + made_now + page[end:], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
