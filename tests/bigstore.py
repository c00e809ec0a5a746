# SPDX-License-Identifier: MIT
"""Large stores in Agentao's layout, made in a few statements: mixed English and Chinese.

Deterministic: record ``n`` is the same in each store of the same size.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.stores.formats.agentao.create import create_store

KEY = RawKey(bytes(range(32)))
ENGLISH = """
the service listens on port behind a proxy staging database is rebuilt every night decision
workflow constraint response style write failing tests first never force push release branch
prefers short answers with code in english deploy uses compose file and health checks retry
queue timeout backoff cluster region latency budget review owner team calendar holiday
""".split()  # noqa: SIM905 - one word a line is no easier to read
CHINESE = """
用户 希望 用 中文 回答 代码 注释 保持 英文 数据库 每晚 重建 的 服务 端口 监听 部署 流程 决定
约束 测试 先写 分支 发布 提醒 会议 周五 团队 负责 网络 延迟 预算 评审 深色 主题 简洁 直接
""".split()  # noqa: SIM905 - one word a line is no easier to read
_TYPES = ("note", "preference", "decision", "workflow", "constraint", "project_fact", "profile")
_TAGS = ("style", "zh", "deploy", "database", "tests", "数据库", "流程", "team", "release", "ops")
_CHUNK = 5_000


def row(n: int) -> tuple[object, ...]:
    """One memory. Its number is in title and text: ``memory 000123`` is in one record only."""
    dice = random.Random(n)
    words = CHINESE if n % 3 == 0 else ENGLISH
    said = [dice.choice(words) for _ in range(dice.randint(18, 44))]
    text = ("" if n % 3 == 0 else " ").join(said) + f" (memory {n:07d})"
    title = f"{dice.choice(words)}_{dice.choice(words)}_{n % 1000}"
    tags = sorted(dice.sample(_TAGS, n % 4))
    month, day = n % 23, dice.randint(1, 28)
    date = f"{2025 + month // 12}-{month % 12 + 1:02d}-{day:02d}"
    when = f"{date}T{n % 24:02d}:{n % 60:02d}:00.{n % 1000:03d}000"
    quoted = ", ".join(f'"{tag}"' for tag in tags)
    return (
        f"{n * 2654435761 % 2**32:08x}{n:08x}", "project", _TYPES[n % 7], f"fact_{n}", title, text,
        f"[{quoted}]", "[]", ("explicit", "auto")[n % 5 == 0],
        ("explicit_user", "inferred")[n % 4 == 0], "normal", when, when,
        when if n % 50 == 49 else None,
    )  # fmt: skip


def _chunks(records: int) -> Iterator[list[tuple[object, ...]]]:
    for start in range(0, records, _CHUNK):
        yield [row(n) for n in range(start, min(records, start + _CHUNK))]


def make_big(folder: Path, records: int, *, encrypted: bool = False) -> Path:
    """A project folder whose store has so many memories; each fiftieth is in the trash.

    It is made once only where ``MEMORY_GUI_KEPT`` names a folder to keep it in.
    """
    path = folder / ".agentao" / "memory.db"
    path.parent.mkdir(parents=True)
    kept = os.environ.get("MEMORY_GUI_KEPT")
    same = Path(kept or "") / f"{records}{'-encrypted' if encrypted else ''}.db"
    if kept and same.exists():
        shutil.copy(same, path)
        return path
    key = KEY if encrypted else None
    create_store(path, key)
    with open_database(path.resolve(), key, write=True) as connection:
        marks = ",".join("?" * 14)
        for chunk in _chunks(records):
            with connection.writing():
                for values in chunk:
                    connection.execute(f"INSERT INTO memories VALUES ({marks})", values)
    if kept:
        shutil.copy(path, same)
    return path


def newest(connection: Connection, count: int = 200) -> list[str]:
    """Ids and times of the live records that changed last, and of those of the same time."""
    live = "FROM memories WHERE deleted_at IS NULL"
    least = f"SELECT updated_at {live} ORDER BY 1 DESC LIMIT 1 OFFSET {count - 1}"
    rows = connection.execute(f"SELECT id, updated_at {live} AND updated_at >= ({least})")
    return [f"{one} {when}" for one, when in rows]


_ITEM = """INSERT INTO memory_review_queue (id, scope, type, key_normalized, title, content,
 tags_json, evidence, source_session, occurrences, confidence, status, created_at, updated_at)
 VALUES (?, 'project', 'note', ?, ?, ?, '["note"]', ?, 's', ?, 'auto_summary', 'pending', ?, ?)"""


def make_queue(folder: Path, pending: int, memories: int = 500) -> Path:
    """A project folder whose queue has so many proposals, beside some memories; readable."""
    path = folder / ".agentao" / "memory.db"
    path.parent.mkdir(parents=True)
    create_store(path, None)
    with open_database(path, None, write=True) as connection, connection.writing():
        for at in range(pending):
            when = f"2026-01-01T{at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d}"
            text = f"the fact number {at} about service {at % 97} in zone {at % 13}"
            values = (f"{at:012x}", f"note_{at}", f"Note: {at}", text, f"… {text} …", at % 5 + 1)
            connection.execute(_ITEM, (*values, when, when))
        for rows in _chunks(memories):
            for one in rows:
                marks = ",".join("?" * len(one))
                connection.execute(f"INSERT INTO memories VALUES ({marks})", one)
    return path
