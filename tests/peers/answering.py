# SPDX-License-Identifier: MIT
"""How a judge answers, in the environment of the agent's own package: the standard library alone.

One JSON object per line in and out: ``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
"""

import json
import sys


def serve(judge, out):
    """Call the judge's method that each line of standard input names; ``close`` it at the end."""
    for line in sys.stdin:
        message = json.loads(line)
        act = getattr(judge, message.pop("do"))
        try:
            answer = {"answer": act(**message)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer, default=str), file=out, flush=True)
    judge.close()
