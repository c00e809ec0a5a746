# SPDX-License-Identifier: MIT
"""What ``memory-cli erase`` leaves on a raw disk, cell by cell, by a judge that is not ours.

Usage: ``python tests/proof/judged.py [--cells GLOB]… [--inject N] [--list] [--again] [--table]``,
as root. The judge is the file that the environment variable RAWDISK names, by default
``../shared/tools/rawdisk.py``: for each cell it makes an ext4 image of zeros, lets a database live
in it, runs the command, and reads every byte of the image, decrypted at every alignment under the
keys that it knows. With ``--inject`` it also kills the command at that many system calls, runs it
again and reads again. (A number that no kind of call reaches kills nothing: ``killed`` counts those
that did.) Where no judge is there, ends 3.

Each result goes to build/disk.json at once; cells that passed on this very commit are not run
again (``--again``: they are). Ends 1 when a cell failed. ``--table`` only prints what was kept.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
KEPT: Final = ROOT / "build" / "disk.json"
COMMAND: Final = ROOT / ".venv" / "bin" / "memory-cli"
INJECT: Final = 50
WORK: Final = Path("/dev/shm") / f"memory-gui-disk-{os.getpid()}"
NEW_KEY: Final = "22" * 16 + "5a" * 16
"""What the judge knows as the new key."""

READABLE, NEW, SAME = "readable", "new-key", "same-key"
INDEXES: Final = ("no-index", "own", "ext", "cdel")


@dataclass(frozen=True)
class Cell:
    """One kind of database with one past. ``main`` cells are also killed."""

    database: str
    journal: str
    index: str = "no-index"
    past: str = "dirty"
    targets: str = "many"
    more: tuple[str, ...] = ()
    policy: str = ""

    @property
    def name(self) -> str:
        """As it is chosen and told."""
        more = "".join(self.more).replace("--", "-").lower()
        parts = (self.database, self.journal.lower() + more, self.index, self.past, self.targets)
        return "/".join(parts)

    @property
    def main(self) -> bool:
        """Whether the command is killed in it, too."""
        return (
            self.database != SAME
            and self.journal in ("WAL", "DELETE")
            and (self.past, self.targets, self.more, self.policy) == ("dirty", "many", (), "")
        )

    def arguments(self, inject: int) -> list[str]:
        """What the judge is told."""
        policy = self.policy or ("newkey" if self.database == NEW else "recipe")
        told = ["--shape", "agentao", "--policy", policy, "--jm", self.journal]
        told += ["--hist", self.past, "--targets", self.targets, *self.more]
        told += ["--cipher"] if self.database != READABLE else []
        told += ["--new-key", NEW_KEY] if self.database == NEW else []
        told += ["--fts", self.index] if self.index != "no-index" else []
        told += ["--inject", str(inject)] if inject and self.main else []
        return [*told, "--erase-cmd", self.command()]

    def command(self) -> str:
        """The command under test; keys go through descriptors."""
        words = f"{COMMAND} erase {{db}} {{idargs}} --yes --no-keychain"
        if self.index != "no-index":  # triggers that are not the agent's
            words += " --despite foreign"
        if self.database == READABLE:
            return words
        key = "3< <(printf %s {key})"
        if self.database == SAME:
            return f"bash -c 'exec {words} --keep-key --key-fd 3 {key}'"
        new = "4< <(printf %s {newkey})"
        return f"bash -c 'exec {words} --key-fd 3 --new-key-fd 4 {key} {new}'"


def cells() -> Iterator[Cell]:
    """The killed ones first, then every other combination once."""
    seen = set()
    for cell in itertools.chain(_main(), _plain(), _rarer()):
        if cell.name not in seen:
            seen.add(cell.name)
            yield cell


def _main() -> Iterator[Cell]:
    for index, journal, database in itertools.product(INDEXES, ("WAL", "DELETE"), (READABLE, NEW)):
        yield Cell(database, journal, index)


def _plain() -> Iterator[Cell]:
    databases, journals = (READABLE, NEW, SAME), ("WAL", "DELETE")
    for past, targets in itertools.product(("none", "dirty"), ("mix", "many")):
        for database, journal, index in itertools.product(databases, journals, INDEXES):
            yield Cell(database, journal, index, past, targets)


def _rarer() -> Iterator[Cell]:
    for journal, index in itertools.product(("TRUNCATE", "PERSIST", "MEMORY"), INDEXES):
        yield Cell(READABLE, journal, index)
    for journal, database in itertools.product(("TRUNCATE", "PERSIST"), (NEW, SAME)):
        yield Cell(database, journal)
    for vacuum, journal, database in itertools.product("12", ("WAL", "DELETE"), (READABLE, NEW)):
        yield Cell(database, journal, more=("--av", vacuum))
    for journal in ("WAL", "DELETE"):
        yield Cell(READABLE, journal, more=("--enc", "UTF-16le"))
        yield Cell(READABLE, journal, past="none", more=("--packed",))
    for index in INDEXES[1:]:
        yield Cell(READABLE, "WAL", index, more=("--enc", "UTF-16be"))
    yield Cell(SAME, "DELETE", more=("--enc", "UTF-16le"))
    # Written from its first day with secure_delete and a kept journal: nothing anywhere.
    for index, targets in itertools.product(INDEXES, ("mix", "many")):
        yield Cell(READABLE, "PERSIST", index, "persist", targets, policy="disk")


def judge() -> Path:
    """Where the judge should be."""
    return Path(os.environ.get("RAWDISK", ROOT.parent / "shared" / "tools" / "rawdisk.py"))


def run_cell(cell: Cell, inject: int, work: Path) -> dict[str, Any]:
    """Ask the judge about one cell; nothing stays mounted."""
    told = [sys.executable, str(judge()), "--work", str(work), "accept", "--json"]
    began = time.monotonic()
    with asked(told + cell.arguments(inject), work) as judging:
        out, _ = judging.communicate()
    answer = {"seconds": round(time.monotonic() - began), "commit": commit()}
    try:
        runs = json.JSONDecoder().raw_decode(out[out.index("[") :])[0]
    except ValueError:
        return {**answer, "pass": False, "problem": out[-800:]}
    return {**answer, **summary(runs), "pass": judging.returncode == 0}


@contextmanager
def asked(argv: Sequence[str], work: Path) -> Iterator[subprocess.Popen[str]]:
    """The judge at work. It cleans up by itself, unless it or this is ended."""
    judging = subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/"
    )
    try:
        yield judging
    finally:
        if judging.poll() is None:
            judging.kill()
            judging.wait()
        mount = work / "mnt"
        if os.path.ismount(mount):
            subprocess.run(["umount", "--lazy", str(mount)], check=False)
        shutil.rmtree(work, ignore_errors=True)


def summary(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What was there, what is left, and how many of the killed runs passed."""
    new = [_hits(run, "new") for run in runs]
    return {
        "before": _all_hits(runs[0]["before"]),
        "in_files": max(_hits(run, "files") for run in runs),
        "new": max(new),
        "older": _hits(runs[0], "free") - new[0],
        "stops": len(runs) - 1,
        "killed": sum(run.get("first") != 0 for run in runs[1:]),
        "passed": sum(bool(run["pass"]) for run in runs[1:]),
        "failed": [
            {
                "run": number,
                "criteria": [name for name, held in run["criteria"].items() if not held],
                "first": run.get("first"),
                "after": run["after"],
                "output": run["output"][-600:],
            }
            for number, run in enumerate(runs)
            if not run["pass"]
        ],
    }


def _hits(run: Mapping[str, Any], what: str) -> int:
    """By every key that counts: an old key that was destroyed opens nothing any more."""
    keys = run["after"]
    counted = [places for via, places in keys.items() if via != "K1" or "K2" not in _known(run)]
    if what == "files":  # under no key at all
        return sum(_place(places, files=True, field="n") for places in keys.values())
    field = "n" if what == "free" else "new"
    return sum(_place(places, files=False, field=field) for places in counted)


def _known(run: Mapping[str, Any]) -> str:
    return " ".join(run["criteria"]).replace("NEW key", "K2")


def _place(places: Mapping[str, Any], *, files: bool, field: str) -> int:
    free = ("unalloc", "ext4-journal")
    return sum(int(one[field]) for name, one in places.items() if (name not in free) == files)


def _all_hits(keys: Mapping[str, Any]) -> int:
    return sum(int(one["n"]) for places in keys.values() for one in places.values())


def commit() -> str:
    """Of this checkout; with a + where something of the package differs from it."""
    told = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=10", "--dirty=+"],
        check=False,
        capture_output=True,
        text=True,
    )
    return told.stdout.strip() or "?"


def table(kept: Mapping[str, Any]) -> str:
    """Markdown, one line a cell."""
    lines = [
        "| database / journal / index / past / erased | | killed, passed of runs | hits before "
        "| left in files | new in free space | from before | s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, one in kept.items():
        said = "PASS" if one["pass"] else "FAIL"
        if "problem" in one:
            lines.append(f"| {name} | {said} | {one['problem'][-80:]!r} | | | | | |")
            continue
        kills = f"{one['killed']}, {one['passed']} of {one['stops']}" if one["stops"] else "–"
        numbers = (one["before"], one["in_files"], one["new"], one["older"], one["seconds"])
        lines.append(f"| {name} | {said} | {kills} | " + " | ".join(map(str, numbers)) + " |")
    return "\n".join(lines)


def _kept() -> dict[str, Any]:
    try:
        kept: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return kept


def _chosen(globs: Sequence[str]) -> list[Cell]:
    return [c for c in cells() if not globs or any(fnmatch(c.name, glob) for glob in globs)]


def _is_done(kept: Mapping[str, Any], cell: Cell, inject: int) -> bool:
    one = kept.get(cell.name, {})
    enough = one.get("stops", 0) >= (inject if cell.main else 0)
    return bool(one.get("pass")) and one.get("commit") == commit() and enough


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", action="append", default=[], metavar="GLOB")
    parser.add_argument("--inject", type=int, default=INJECT, metavar="N")
    parser.add_argument("--work", type=Path, default=WORK)
    for flag in ("--list", "--again", "--table"):
        parser.add_argument(flag, action="store_true")
    return parser.parse_args()


def _why_not() -> str:
    if not judge().is_file():
        return f"no judge at {judge()} (set RAWDISK): only the tests of tests/proof can be run"
    if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None or shutil.which("strace") is None:
        return "needs root, e2fsprogs and strace"
    return ""


def main() -> int:
    """Run what was chosen, one cell after the other."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing stays mounted
    asked = _arguments()
    chosen = _chosen(asked.cells)
    if asked.list:
        print("\n".join(cell.name for cell in chosen))
        return 0
    if asked.table:
        print(table(_kept()))
        return 0
    if why := _why_not():
        print(why)
        return 3
    KEPT.parent.mkdir(exist_ok=True)
    for number, cell in enumerate(chosen, 1):
        if not asked.again and _is_done(_kept(), cell, asked.inject):
            continue
        one = run_cell(cell, 0, asked.work)
        if one["pass"] and cell.main and asked.inject:  # what fails unkilled is not killed, too
            one = run_cell(cell, asked.inject, asked.work)
        kept = {**_kept(), cell.name: one}
        KEPT.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        print(f"{number}/{len(chosen)}", table({cell.name: one}).splitlines()[-1], flush=True)
    kept = {cell.name: one for cell in chosen if (one := _kept().get(cell.name))}
    print(table(kept))
    good = sum(bool(one["pass"]) for one in kept.values())
    print(f"{good} of {len(chosen)} cells passed")
    return 0 if good == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
