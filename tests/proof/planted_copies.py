# SPDX-License-Identifier: MIT
"""One person in every place of the stores that keep a text more than once.

Rows of LangGraph, Letta and Mem0, and the values packed in them. As in ``planted_home``: of every
table each column that BOUND does not name is planted, and a table that nobody thought of is an
error.
"""

from __future__ import annotations

import base64
import json
import pickle
import sqlite3
import struct
import sys
import types
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from uuid import UUID

sys.path.insert(0, str(Path(__file__).parents[1]))
import langgraph_file

STORES = {
    "langgraph/store-with-vectors.sqlite": "chat/store.sqlite",
    "langgraph/checkpoints.sqlite": "flows/checkpoints.sqlite",
    "letta-old/0.11.7/home/.letta/sqlite.db": ".letta/sqlite.db",
    "letta-old/0.5.5/home/.letta/sqlite.db": "old-letta/.letta/sqlite.db",
    "mem0/home/.mem0": ".mem0",
    "mem0/tmp-qdrant": ".mem0/qdrant",
    "mem0/history-faiss.db": "shop/history.db",
    "mem0/faiss": "shop/faiss",
    "mem0/history-chroma.db": "desk/history.db",
    "mem0/chroma": "desk/chroma",
}
"""Of tests/data -> in the home."""

_TIME = "2026-10-03 08:30:00"
_UUID = "{u}"
_LETTA = {
    "id": _UUID,
    "created_at": _TIME,
    "updated_at": _TIME,
    "is_deleted": 0,
    "_created_by_id": None,
    "_last_updated_by_id": None,
    "organization_id": "org-0",
}
_POINTERS = ("project_id", "entity_id", "base_template_id", "template_id", "deployment_id")
_PASSAGE = _LETTA | {"embedding_config": "{{}}", "embedding": b"\0" * 64}
BOUND: dict[str, dict[str, dict[str, Any]]] = {
    "store": {
        "store": {
            "created_at": _TIME,
            "updated_at": _TIME,
            "expires_at": None,
            "ttl_minutes": None,
        },
        "store_vectors": {"embedding": b"\0" * 32, "created_at": _TIME, "updated_at": _TIME},
        "store_migrations": {"v": None},
        "vector_migrations": {"v": None},
    },
    "checkpoints": {
        "checkpoints": {
            "checkpoint_ns": "",
            "checkpoint_id": _UUID,
            "parent_checkpoint_id": None,
            "type": "msgpack",
        },
        "writes": {
            "checkpoint_ns": "",
            "checkpoint_id": _UUID,
            "task_id": _UUID,
            "task_path": "~__pregel_pull, agent",
            "idx": 0,
            "channel": "notes",
            "type": "msgpack",
        },
    },
    "letta": {
        "block": _LETTA
        | dict.fromkeys(_POINTERS)
        | {
            "is_template": 0,
            "preserve_on_migration": 0,
            "limit": 5000,
            "read_only": 0,
            "current_history_entry_id": None,
            "version": 1,
        },
        "block_history": _LETTA
        | {
            "limit": 5000,
            "actor_type": None,
            "actor_id": None,
            "block_id": "block-of-the-person",
            "sequence_number": "{n}",
        },
        "archival_passages": _PASSAGE | {"archive_id": "archive-0"},
        "source_passages": _PASSAGE | {"file_id": None, "source_id": "source-0"},
        "passages": {
            **{one: _PASSAGE[one] for one in ("id", "created_at", "embedding", "embedding_config")},
            "user_id": "user-0",
            "file_id": None,
            "agent_id": "agent-0",
            "source_id": None,
        },
        "messages": _LETTA
        | dict.fromkeys(("step_id", "otid", "group_id", "sender_id", "batch_item_id", "is_err"))
        | {
            "user_id": "user-0",
            "role": "user",
            "tool_call_id": None,
            "approval_request_id": None,
            "approve": None,
            "sequence_id": "{n}",
            "agent_id": "agent-0",
        },
        "provider_traces": _LETTA | {"step_id": None},
        "identities": _LETTA | {"identity_type": "user", "project_id": None},
    },
    "mem0": {
        "history": {
            "id": _UUID,
            "memory_id": _UUID,
            "event": "ADD",
            "created_at": _TIME,
            "updated_at": _TIME,
            "is_deleted": 0,
        },
        "messages": {"id": _UUID, "created_at": _TIME},
    },
}
BOUND["langgraph"] = BOUND["store"] | BOUND["checkpoints"]
"""Store -> table -> columns whose values the format or its agent binds, or a program's code."""

_NO_RECORDS = frozenset(
    {
        *("agent_environment_variables", "agent_source_mapping", "agents", "agents_tags"),
        *("archives", "archives_agents", "blocks_agents", "file_contents", "files", "files_agents"),
        *("groups", "groups_agents", "groups_blocks", "identities_agents"),
        *("identities_blocks", "job_messages", "jobs", "llm_batch_items", "llm_batch_job"),
        *("mcp_oauth", "mcp_server", "message_sequence", "organizations", "passage_tags"),
        *("prompts", "providers", "sandbox_configs", "sandbox_environment_variables", "sources"),
        *("sources_agents", "step_metrics", "steps", "tokens", "tools", "tools_agents"),
        *("users",),
    }
)
"""Letta's server's own tables: no memories. They are found and named, and never erased from here
(tests/contract/test_letta_server.py)."""

STATES = {
    "store": ({}, {"expires_at": "2026-10-04 08:30:00", "ttl_minutes": 1.0}),
    "block": ({}, {"is_deleted": 1}),
    "archival_passages": ({}, {"is_deleted": 1}),
}


def make_shared(home: Path) -> None:
    """A file that LangGraph's store and its checkpoints share."""
    (home / "app").mkdir()
    langgraph_file.one_file(home / "app")


# ---- values as they are packed


def _packed(text: str) -> bytes:
    raw = text.encode()
    return b"\xda" + struct.pack(">H", len(raw)) + raw


def _map(**values: bytes) -> bytes:
    return bytes([0x80 + len(values)]) + b"".join(_packed(n) + v for n, v in values.items())


def _message(text: str) -> bytes:
    """A message as LangGraph writes one."""
    fields = _map(content=_packed(text), type=_packed("human"))
    inner = b"\x94" + _packed("langchain_core.messages.human") + _packed("HumanMessage") + fields
    inner += _packed("model_validate_json")
    return b"\xc9" + struct.pack(">I", len(inner)) + b"\x05" + inner


def _checkpoint(channel: bytes, name: str) -> bytes:
    return _map(ts=_packed("2026-10-03T08:30:00+00:00"), channel_values=_map(**{name: channel}))


FORMS: dict[str, tuple[Callable[[str], Any], ...]] = {
    "checkpoints.checkpoint": (
        lambda text: _checkpoint(b"\x91" + _message(text), "messages"),
        lambda text: _checkpoint(_packed(text), "notes"),
    ),
    "checkpoints.metadata": (lambda text: json.dumps({"source": "loop", "user": text}).encode(),),
    "writes.value": (_packed, lambda text: b"\x91" + _message(text)),
    "store.value": (lambda text: json.dumps({"text": text}).encode(),),
    "store.prefix": (lambda text: f"people.{text}",),
    "messages.content": (lambda text: json.dumps([{"type": "text", "text": text}]), str),
    "messages.tool_calls": (
        lambda text: json.dumps([{"function": {"name": "f", "arguments": text}}]),
    ),
    "messages.tool_returns": (lambda text: json.dumps([{"status": "success", "stdout": [text]}]),),
    "identities.properties": (
        lambda text: json.dumps([{"key": "note", "value": text, "type": "string"}]),
    ),
    "messages.session_scope": (lambda text: f"user_id={text}",),
}
"""Column -> the ways in which a text can be in it; else as it is, in ``_JSON`` in a list."""
_JSON = ("metadata_", "tags", "request_json", "response_json")


def _form(table: str, column: str) -> tuple[Callable[[str], Any], ...]:
    if column in _JSON:
        return (lambda text: json.dumps({"note": text} if column == "metadata_" else [text]),)
    return FORMS.get(f"{table}.{column}", (str,))


# ---- rows


def tables(connection: sqlite3.Connection) -> Iterator[tuple[str, list[str]]]:
    """(table, its columns), but SQLite's own."""
    found = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "
        "ESCAPE '\\' ORDER BY name"
    ).fetchall()
    for (table,) in found:
        yield table, [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]


def _rows(kind: str) -> Callable[[Any, Path], None]:
    def into(made: Any, path: Path) -> None:
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA secure_delete = OFF")
        for table, columns in tables(connection):
            if kind == "letta" and table in _NO_RECORDS:
                continue
            bound = bound_of(kind, table, columns)
            for state in STATES.get(table if kind != "mem0" else "", ({},)):
                for column in [one for one in columns if one not in bound]:
                    for form in _form(table, column):
                        place = f"{path.relative_to(made.home)}: {table}.{column} {state or ''}"
                        text = form(made.sentence(place, path))
                        _insert(connection, table, columns, bound | state, {column: text}, made)
        connection.commit()
        connection.close()

    return into


def bound_of(kind: str, table: str, columns: list[str]) -> dict[str, Any]:
    """What is bound in a table; one that nobody has thought of is an error."""
    assert table in BOUND[kind], f"nothing says which columns of {table} hold text: {columns}"
    return BOUND[kind][table]


def _insert(
    connection: sqlite3.Connection,
    table: str,
    columns: list[str],
    bound: dict[str, Any],
    planted: dict[str, Any],
    made: Any,
) -> None:
    number = 0xA0000000 + len(made.plants)
    row: dict[str, Any] = {}
    for column in columns:
        if column in planted:
            row[column] = planted[column]
        elif column in bound:
            value = bound[column]
            row[column] = (
                value.format(n=number, u=UUID(int=number)) if isinstance(value, str) else value
            )
        else:
            row[column] = _form(table, column)[0](f"plain {number}")
    names = ", ".join(f'"{one}"' for one in row)
    holes = ", ".join("?" * len(row))
    connection.execute(f'INSERT INTO "{table}" ({names}) VALUES ({holes})', tuple(row.values()))


# ---- payloads of Mem0: of Qdrant, FAISS and Chroma

_SAID = ("data", "text_lemmatized", "user_id", "agent_id", "run_id", "role", "actor_id", "topic")
_NAMED = ("data", "user_id", "agent_id", "run_id", "actor_id", "entity_type")


def _payloads(made: Any, path: Path, *, is_entity: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Id and payload: each field once."""
    for field in _NAMED if is_entity else _SAID:
        place = f"{path.relative_to(made.home)}: {'entity' if is_entity else 'memory'} {field}"
        payload: dict[str, Any] = {"data": "plain", "user_id": "plain"}
        if is_entity:
            payload |= {"entity_type": "PERSON", "linked_memory_ids": []}
        payload |= {field: made.sentence(place, path)}
        yield str(UUID(int=0xB0000000 + len(made.plants))), payload


def _docs(made: Any, path: Path) -> None:
    """The texts of FAISS, and a vector for each."""
    document = json.loads(path.read_text())
    assert set(document) == {"docstore", "index_to_id"}
    index = path.with_suffix(".faiss")
    data = bytearray(index.read_bytes())
    for id_, payload in _payloads(made, path, is_entity="_entities" in path.name):
        document["index_to_id"][str(len(document["docstore"]))] = id_
        document["docstore"][id_] = payload
        size, total = struct.unpack_from("<iq", data, 4)
        struct.pack_into("<q", data, 8, total + 1)
        struct.pack_into("<Q", data, 37, size * (total + 1))
        data += struct.pack(f"<{size}f", *[0.25] * size)
    index.write_bytes(data)
    path.write_text(json.dumps(document, indent=2))  # as the rest of it is written


_CHROMA = {
    "embeddings": ["id", "segment_id", "embedding_id", "seq_id", "created_at"],
    "embedding_metadata": [
        *("id", "key", "string_value", "int_value", "float_value", "bool_value"),
    ],
    "embeddings_queue": [
        *("seq_id", "created_at", "operation", "topic", "id", "vector", "encoding", "metadata"),
    ],
}


_OF_CHROMA = frozenset(
    {
        *_CHROMA,
        *("migrations", "acquire_write", "collection_metadata", "segment_metadata", "tenants"),
        *("databases", "collections", "maintenance_log", "segments", "max_seq_id"),
        *("embedding_metadata_array", "embeddings_queue_config"),
    }
)
"""Its tables; those that are not planted name collections, or hold ids of linked memories."""


def _embeddings(made: Any, path: Path) -> None:
    """Rows of Chroma, and what its log says of them."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA secure_delete = OFF")
    found = dict(tables(connection))
    assert {one for one in found if not one.startswith("embedding_fulltext_")} == _OF_CHROMA
    for table, columns in _CHROMA.items():
        assert found[table] == columns, found[table]
    collections = connection.execute(
        "SELECT s.id, c.id, c.name FROM segments s JOIN collections c ON c.id = s.collection"
        " WHERE s.scope = 'METADATA'"
    ).fetchall()
    for segment, collection, name in collections:
        for id_, payload in _payloads(made, path, is_entity=name.endswith("_entities")):
            links = payload.pop("linked_memory_ids", None)
            number = 1000 + len(made.plants)
            row = (number, segment, id_, number, _TIME)
            connection.execute("INSERT INTO embeddings VALUES (?, ?, ?, ?, ?)", row)
            connection.executemany(
                "INSERT INTO embedding_metadata VALUES (?, ?, ?, NULL, NULL, NULL)",
                [(number, field, text) for field, text in payload.items()],
            )
            assert links in (None, [])
            topic = f"persistent://default/default/{collection}"
            log = (number, _TIME, 0, topic, id_, b"\0" * 128, "FLOAT32", json.dumps(payload))
            connection.execute("INSERT INTO embeddings_queue VALUES (?, ?, ?, ?, ?, ?, ?, ?)", log)
    last = (9999, _TIME, 3, "persistent://default/default/plain", "plain", None, None, "{}")
    connection.execute("INSERT INTO embeddings_queue VALUES (?, ?, ?, ?, ?, ?, ?, ?)", last)
    made.before[path]["embeddings_queue"] = sorted(
        [*made.before[path]["embeddings_queue"], repr(last)]
    )
    connection.commit()
    connection.close()


def _as_pydantic(one: Any) -> dict[str, Any]:
    """What a model of Pydantic's is pickled as: Qdrant itself must be able to read it."""
    return {
        "__dict__": one.__dict__,
        "__pydantic_extra__": None,
        "__pydantic_fields_set__": set(one.__dict__),
        "__pydantic_private__": None,
    }


def _points(made: Any, path: Path) -> None:
    """Each field of a payload; in entities the name."""
    module = types.ModuleType("qdrant_client.http.models.models")
    point = type("PointStruct", (), {"__module__": module.__name__, "__getstate__": _as_pydantic})
    module.PointStruct = point  # type: ignore[attr-defined] - made here
    for name in ("qdrant_client", "qdrant_client.http", "qdrant_client.http.models"):
        sys.modules.setdefault(name, types.ModuleType(name))
    sys.modules[module.__name__] = module
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA secure_delete = OFF")
    found = list(tables(connection))
    assert found == [("points", ["id", "point"])], found
    of_entities = path.parent.name.endswith("_entities")
    for id_, payload in _payloads(made, path, is_entity=of_entities):
        one = point()
        one.__dict__ |= {"id": id_, "vector": {"": [0.0] * 32}, "payload": payload}
        key = base64.b64encode(pickle.dumps(id_, 4)).decode()
        connection.execute("INSERT INTO points VALUES (?, ?)", (key, pickle.dumps(one, 4)))
    connection.commit()
    connection.close()


PLANTERS: dict[str, Callable[[Any, Path], None]] = {
    "chat/store.sqlite": _rows("store"),
    "*/checkpoints.sqlite": _rows("checkpoints"),
    "app/app.db": _rows("langgraph"),
    "*.letta/sqlite.db": _rows("letta"),
    "*/history.db": _rows("mem0"),
    "shop/faiss/*.json": _docs,
    "shop/faiss/*.faiss": lambda made, path: None,  # numbers; a doc's are planted with it
    "desk/chroma/chroma.sqlite3": _embeddings,
    "desk/chroma/*/*.bin": lambda made, path: None,  # numbers
    ".mem0/qdrant/collection/*/storage.sqlite": _points,
    ".mem0/qdrant/.lock": lambda made, path: None,  # no text
    ".mem0/qdrant/meta.json": lambda made, path: None,  # names and sizes of collections
    ".mem0/config.json": lambda made, path: None,  # an id for its maker's statistics
}
"""Pattern in the home -> what puts the person into such a file."""


def planter_of(name: str) -> Callable[[Any, Path], None] | None:
    """What plants a file of these stores; None for others."""
    return next((made for pattern, made in PLANTERS.items() if fnmatch(name, pattern)), None)
