# SPDX-License-Identifier: MIT
"""The child's side: read messages, answer them, keep everything else off the pipe.

A worker's module has ``def main() -> None: serve(handle)`` and runs it as ``__main__``.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.process.child import MARK, encode
from memory_gui.process.names import WORKERS
from memory_gui.process.sealing import seal

Message = dict[str, Any]
Reply = Callable[[Message], None]
Handle = Callable[[Message, Reply], Message]


def run_worker(name: str) -> None:
    """Be the worker of that name; the front doors call this for ``--worker NAME`` in a bundle."""
    importlib.import_module(WORKERS[name]).main()


def serve(handle: Handle) -> None:
    """Answer messages until the parent closes the pipe.

    ``handle(message, reply)`` returns the answer; ``reply`` sends progress
    (``{"tick": [step, done, total]}``). A UserError or Cancelled travels to the parent and the
    worker lives on; of any other error only its type and its places travel. When the parent is
    gone, replies go nowhere and the work that runs is finished.
    """
    seal()
    source, sink = _take_pipes()
    with source, sink:

        def reply(message: Message) -> None:
            with contextlib.suppress(OSError):  # the parent is gone: go on without it
                sink.write(encode(message))
                sink.flush()

        for line in source:
            reply(_answer(handle, line, reply))


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Move stdin and stdout away and leave the null device in their place."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(null, number)
    os.close(null)
    return source, sink


def _answer(handle: Handle, line: bytes, reply: Reply) -> Message:
    try:
        return handle(json.loads(line.lstrip(MARK).decode("utf-8", "surrogatepass")), reply)
    except UserError as error:
        return {"error": {"code": error.code, "params": _plain(error.params)}}
    except Cancelled:
        return {"cancelled": True}
    except Exception as error:  # noqa: BLE001 - a bug is reported to the parent without its text
        return {"bug": {"kind": type(error).__name__, "where": list(_places(error))}}


def _plain(params: dict[str, object]) -> dict[str, object]:
    return {
        name: value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
        for name, value in params.items()
    }


def _places(error: BaseException) -> Iterator[str]:
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        yield f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
