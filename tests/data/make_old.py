# SPDX-License-Identifier: MIT
"""Make the stores of old Agentao versions that the tests read: ``agentao-0.2.5``, ``agentao-0.5.12``.

Run by hand with any Python 3.11+ and a package host within reach:

    python tests/data/make_old.py

It installs each version into an environment of its own below ``.setup/peers`` and lets that
version's own code save invented memories. What it writes is committed; ids and times differ from
run to run.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEER = HERE.parent.parent / "packaging" / "peer"

JSON_MADE = """
import sys
from pathlib import Path
from agentao.tools.memory import SaveMemoryTool
folder = Path(sys.argv[1])
tool = SaveMemoryTool(str(folder / ".agentao" / "memory.json"))
print(tool.execute("user_preferred_language", "Antwort bitte auf Deutsch – außer im Code.", ["user"]))
print(tool.execute("build_command", "make -j2 all && make check", ["workflow", "build"]))
print(tool.execute("城市", "用户住在苏州，周末去太湖骑车。", ["profile", "个人"]))
print(tool.execute("build_command", "ninja -C out && ninja -C out test", ["workflow", "build"]))
print(tool.execute("no_tags", "An entry without tags; it mentions café and naïve."))
"""

DATABASE_MADE = """
import sys
from pathlib import Path
from agentao.memory.manager import MemoryManager
from agentao.memory.models import SaveMemoryRequest
from agentao.memory.storage import SQLiteMemoryStore
folder = Path(sys.argv[1])
manager = MemoryManager(
    SQLiteMemoryStore.open(folder / "project" / ".agentao" / "memory.db"),
    SQLiteMemoryStore.open(folder / "home" / ".agentao" / "memory.db"),
)
def save(key, value, *tags, **more):
    return manager.upsert(SaveMemoryRequest(key=key, value=value, tags=list(tags), **more))
save("user_name", "Amara Oyelaran, writes firmware", "user", "profile")
save("preference tabs", "tabs in C, four spaces in Python", "preference")
save("board_revision", "The lab uses revision C of the board; B has the swapped UART pins.")
save("decision_rtos", "Zephyr instead of a bare loop, decided in spring.", "decision")
save("串口速度 baud", "串口统一用 921600，旧板子用 115200。", "project_fact")
gone = save("old_programmer", "Use the old programmer on port 3.", "note")
manager.delete(gone.id)
save("board_revision", "The lab uses revision D since May.")
manager.save_session_summary("Soldered two boards, measured 3.3 V on both.", 1200, 14)
manager.crystallize_user_messages([
    {"role": "user", "content": "I prefer short functions with early returns."},
    {"role": "user", "content": "Never flash the bootloader over the air. 我喜欢简洁的日志。"},
])
waiting = manager.list_review_items()
manager.approve_review_item(waiting[0].id)
manager.reject_review_item(waiting[1].id)
manager.close() if hasattr(manager, "close") else None
print(len(manager.get_all_entries()), [i.title for i in waiting])
"""

MADE = {"0.2.5": JSON_MADE, "0.5.12": DATABASE_MADE}


def peer(version: str) -> Path:
    """The Python of an environment with that version of Agentao."""
    made = subprocess.run([PEER, f"agentao-{version}"], check=True, capture_output=True, text=True)
    return Path(made.stdout.strip())


def main() -> None:
    """Make both, each from an empty folder."""
    for version, code in MADE.items():
        target = HERE / f"agentao-{version}"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        subprocess.run([peer(version), "-I", "-c", code, str(target)], check=True, cwd=target)
    old = HERE / "agentao-0.2.5"
    for name in (".agentao_memory.json", ".chatagent_memory.json"):
        shutil.copy(old / ".agentao" / "memory.json", old / name)


if __name__ == "__main__":
    main()
