# SPDX-License-Identifier: MIT
"""Write what Agentao's own classes give a model into tests/data/agentao-views.json.

    python -m tests.peers.known_views PYTHON

from the top folder, where PYTHON is that of an environment with agentao 0.5.17 (``make test``
leaves one in ``.setup/peers/0.5.17``). The unit tests read the file, so that they need no package
host.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path

from tests.peers.conftest import Judge, our_places
from tests.peers.test_view import NOW, SAID, fill, rows, summaries

ANSWERS = Path(__file__).resolve().parent.parent / "data" / "agentao-views.json"


def main() -> None:
    """Three pairs of stores: none, few and many memories."""
    cases = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        judge = Judge(Path(sys.argv[1]).absolute(), folder, "agentao_inside.py", *our_places())
        for seed, (many, few) in enumerate(((0, 0), (6, 2), (30, 8))):
            rng = random.Random(seed)
            project, user = rows(rng, many, "project"), rows(rng, few, "user")
            tails = summaries(rng, many // 5)
            files = [folder / f"{seed}-{role}.db" for role in ("project", "user")]
            fill(files[0], project, tails)
            fill(files[1], user, [])
            answer = judge(
                "view", project=str(files[0]), user=str(files[1]), said=list(SAID),
                now=NOW.isoformat(),
            )  # fmt: skip
            cases.append({"project": project, "user": user, "summaries": tails, "answer": answer})
        judge.close()
    document = {"now": NOW.isoformat(), "said": list(SAID), "cases": cases}
    ANSWERS.write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
