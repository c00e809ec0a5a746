# SPDX-License-Identifier: MIT
"""How time and memory grow from 1,000 records to a million: ``growth.py [RECORDS]``.

For each size an encrypted store in Agentao's layout is made and measured by a process of its own,
into ``growth.json`` beside ``bench.json``. Seconds are those of the processor; of small stores the
best of some runs, of ours and of what it is compared with.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import KEY, make_big
from rows import BENCH

HERE = Path(__file__).parent
FILE = BENCH.with_name("growth.json")
SIZES = (1_000, 10_000, 100_000, 1_000_000)
FEW, ROUNDS = 10_000, 3
"""Up to so many records every figure is the best of so many runs."""
ENVIRONMENT = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"}


def measured(records: int) -> dict[str, float]:
    """All figures of one size; text and memory are those of the last run."""
    runs = [measured_once(records) for _ in range(ROUNDS if records <= FEW else 1)]
    same = ("text", "memory")
    return {
        name: value if name in same else min(run[name] for run in runs)
        for name, value in runs[-1].items()
    }


def measured_once(records: int) -> dict[str, float]:
    """All figures of one size, of one run."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        path = make_big(home / "store", records, encrypted=True)
        inside = python(HERE / "growth_inside.py", path)
        figures = json.loads(inside.stdout)
        (home / "ids").write_text("\n".join(figures.pop("newest")))
        key = f"{KEY.hex()}\n"
        window = python(HERE / "our_window.py", "rows", home / "store", home / "ids", given=key)
        end, _, begun, _, _ = map(float, window.stdout.split())
        bare = python(HERE / "bare_window.py", path, given=key)
        figures["first_rows"] = end - begun
        figures["first_rows_sql"] = float(bare.stdout.split()[0])
        return {name: round(value, 5) for name, value in figures.items()}


def python(script: Path, *arguments: object, given: str = "") -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as home:
        return subprocess.run(
            [sys.executable, script, *map(str, arguments)], input=given, check=True, text=True,
            capture_output=True, env={**ENVIRONMENT, "HOME": home, "XDG_DATA_HOME": home},
        )  # fmt: skip


def main() -> None:
    most = int(sys.argv[1]) if sys.argv[1:] else SIZES[-1]
    figures = json.loads(FILE.read_text()) if FILE.exists() else {}
    for size in [one for one in SIZES if one <= most]:
        figures[str(size)] = measured(size)
        print(size, figures[str(size)], flush=True)
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
