# SPDX-License-Identifier: MIT
"""Run a case over a home in which two files are to stay, from a process of its own.

``keep_one.py HOME DATA-FOLDER KEPT HELD RECEIPT NAME...``: the first file is kept, the second one
put on hold; all else that is about the person goes. Prints what the plan and the result say.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "unit/services"))
from pairs import MemoryKeychain

from memory_gui.cases.case import NewCase
from memory_gui.cases.finds import Decision, Finds, Heap
from memory_gui.cases.names import Subject
from memory_gui.services import build_services
from memory_gui.words import Words


def of_file(finds: Finds, path: str) -> list[int]:
    return [one.number for one in finds.finds if one.path == path]


def main() -> int:
    home, data, kept, held, receipt, name, *also = sys.argv[1:]
    services = build_services(
        words=Words(), home=Path(home), data_dir=Path(data), keychain=MemoryKeychain()
    )
    cases = services.cases
    where = cases.where(names=[home])
    case = cases.new(NewCase(Subject.of(name, also)))
    finds = cases.find(case, where)
    shared = [o.number for o in finds.heap(Heap.SHARED) if Decision.ERASE in o.can]
    finds = cases.decide(case, finds, shared, Decision.ERASE)
    numbers = of_file(finds, kept)
    finds = cases.decide(case, finds, numbers, Decision.KEEP, reason="keep.not_asked")
    finds = cases.decide(case, finds, of_file(finds, held), Decision.HOLD, reason="hold.claims")
    plan = cases.plan(case, finds, where)
    result = cases.run(plan, typed=plan.word, receipt=Path(receipt))
    told = {
        "planned": plan.as_json()["kept_files"],
        "state": result.state,
        "keeps": result.keeps,
        "case": str(result.case.state),
    }
    print(json.dumps(told))
    services.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
