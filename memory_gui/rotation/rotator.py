# SPDX-License-Identifier: MIT
"""The child process that turns encryption on and off.

``begin`` takes the store and makes the proved copy; the parent then puts the key into the
keychain; ``swap`` puts the copy in place. Until then everything is as it was.
"""

from __future__ import annotations

import errno
from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, key_from_message
from memory_gui.domain.work import Tick
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.engine.rawfile import fsync_folder
from memory_gui.ledger.files import take_name
from memory_gui.process.worker import Message, Reply, serve
from memory_gui.rotation.copying import copy_database
from memory_gui.rotation.migrating import migrate
from memory_gui.rotation.names import new_name, part_name
from memory_gui.rotation.swapping import Taken, finish, sweep


class Rotator:
    """Serves one store at a time."""

    def __init__(self) -> None:
        self._taken: Taken | None = None

    def handle(self, message: Message, reply: Reply) -> Message:
        """Answer one message."""
        path = Path(str(message["path"]))
        try:
            return self._do(path, message, reply)
        except OSError as error:
            full = error.errno in {errno.ENOSPC, errno.EDQUOT}
            raise UserError("store.disk_full" if full else "store.io", path=str(path)) from error

    def _do(self, path: Path, message: Message, reply: Reply) -> Message:
        match message["op"]:
            case "finish" | "sweep" as op:
                return {"done": finish(path) if op == "finish" else sweep(path)}
            case "begin":
                return self._begin(path, message, reply)
            case "copy":
                return self._copy_out(path, message, reply)
            case "migrate":
                return self._migrate(path, message, reply)
            case "drop":
                self.close()
                return {"done": True}
            case _:
                return self._swap()

    def _begin(self, path: Path, message: Message, reply: Reply) -> Message:
        finish(path)
        connection = open_database(path, key_of(message.get("key")), write=True, maintain=True)
        self._taken = Taken(connection)
        try:
            journal_mode = connection.journal_mode
            self._taken.take()
            rows = copy_database(
                connection,
                new_name(path),
                key_of(message.get("new_key")),
                journal_mode=journal_mode,
                tick=_ticker(reply),
            )
        except BaseException:
            self.close()
            raise
        return {"rows": rows, "salt": inspect(new_name(path)).salt.hex()}

    def _swap(self) -> Message:
        taken, self._taken = self._taken, None
        if taken is None:
            raise UserError("rotation.nothing_begun")
        path = taken.connection.path
        try:
            taken.swap()
        finally:
            taken.close()
            finish(path)
        return {"done": True}

    def _copy_out(self, path: Path, message: Message, reply: Reply) -> Message:
        """A copy elsewhere; the store is only read."""
        out = Path(str(message["out"]))
        if out.is_symlink() or out.exists():
            raise UserError("store.exists", path=str(out))
        part = part_name(out)
        sweep(part)
        with open_database(path, key_of(message.get("key")), write=True, maintain=True) as source:
            rows = copy_database(
                source,
                part,
                key_of(message.get("new_key")),
                journal_mode="delete",
                tick=_ticker(reply),
            )
        try:
            if not take_name(part, out):
                raise UserError("store.exists", path=str(out))
            fsync_folder(out.parent)
        finally:
            if out.exists() and part.exists() and out.samefile(part):
                part.unlink()
            sweep(part)
        return {"rows": rows}

    def _migrate(self, path: Path, message: Message, reply: Reply) -> Message:
        """A copy in today's settings; the store is only read."""
        key = key_of(message.get("key"))
        if key is None:
            raise UserError("key.not_encrypted", path=str(path))
        return {"rows": migrate(path, key, Path(str(message["out"])), tick=_ticker(reply))}

    def close(self) -> None:
        """Let go of the store; a copy that was not swapped in is removed."""
        taken, self._taken = self._taken, None
        if taken is not None:
            taken.close()
            finish(taken.connection.path)


def key_of(data: object) -> Key | None:
    """A key as it stands in a message."""
    return key_from_message(data) if isinstance(data, dict) else None


def _ticker(reply: Reply) -> Tick:
    def tick(step: str, done: int, total: int) -> None:
        reply({"tick": [step, done, total]})

    return tick


def main() -> None:
    """Serve until the parent is gone."""
    rotator = Rotator()
    try:
        serve(rotator.handle)
    finally:
        rotator.close()


if __name__ == "__main__":
    main()
