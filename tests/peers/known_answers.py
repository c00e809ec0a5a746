# SPDX-License-Identifier: MIT
"""Write what Agentao's own rules answer into tests/data/agentao-answers.json.

    python tests/peers/known_answers.py PYTHON

where PYTHON is that of an environment with agentao 0.5.17 (``make test`` leaves one in
``.setup/peers/0.5.17``). The unit tests read the file, so that they need no package host.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from corpus import RULE_CASES, SECRET_TEXTS

HERE = Path(__file__).resolve().parent
ANSWERS = HERE.parent / "data" / "agentao-answers.json"


def small_cases() -> list[dict[str, object]]:
    """Every third case whose text is short enough to be kept in a file."""
    return [case for case in RULE_CASES if len(str(case["text"])) < 600][::3]


def main() -> None:
    """Ask one judge both questions."""
    cases = small_cases()
    asked = [{"do": "many_rules", "cases": cases}, {"do": "secrets", "texts": SECRET_TEXTS}]
    done = subprocess.run(
        [sys.argv[1], "-I", HERE / "agentao_judge.py"],
        input="\n".join(map(json.dumps, asked)) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    rules, secrets = (json.loads(line)["answer"] for line in done.stdout.splitlines())
    answers = {
        "agentao": "0.5.17",
        "rules": [{"case": c, "answer": a} for c, a in zip(cases, rules, strict=True)],
        "refused": [t for t, refused in zip(SECRET_TEXTS, secrets, strict=True) if refused],
        "accepted": [t for t, refused in zip(SECRET_TEXTS, secrets, strict=True) if not refused],
    }
    ANSWERS.write_text(json.dumps(answers, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
