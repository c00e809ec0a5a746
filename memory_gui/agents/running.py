# SPDX-License-Identifier: MIT
"""Agentao's conversation in the terminal over the stores that were handed over.

Agentao's command line takes a runtime builder (``agent_factory``); ours is its own builder with a
``MemoryManager`` over our stores. All else is as ``agentao`` starts it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from memory_gui.agents.agentao import agentao_store
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.process.child import Child
from memory_gui.vault.keychain import AnyKeychain, Keychain, NoKeychain

_PR_SET_DUMPABLE: Final = 4
_FAILED: Final = 1


def run(handover: Mapping[str, Any], arguments: Sequence[str]) -> int:
    """Start it, and give its exit status.

    ``handover``: ``project`` and ``user``, each ``{"path", "key"}`` (hex, null where readable);
    ``helper``, the command that asks the keychain when a key changed meanwhile, null for none.
    """
    _hide_memory()
    keychain = _keychain(handover["helper"])
    try:
        stores = [_store(handover[role], keychain) for role in ("project", "user")]
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return _FAILED
    manager = import_module("agentao.memory").MemoryManager(*stores)
    build = import_module("agentao.embedding").build_from_environment
    try:
        return _talk(partial(build, memory_manager=manager), arguments)
    finally:
        manager.close()
        keychain.close()


def _talk(factory: Any, arguments: Sequence[str]) -> int:
    cli = import_module("agentao.cli.entrypoints")
    args, _ = cli._build_parser().parse_known_args(list(arguments))
    folders = [*(args.plugin_dirs or ()), *(getattr(args, "sub_plugin_dirs", None) or ())]
    import_module("agentao.cli._globals")._plugin_inline_dirs[:] = [Path(one) for one in folders]
    try:
        cli.main(resume_session=args.resume, agent_factory=factory)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _store(place: Mapping[str, str | None], keychain: AnyKeychain) -> Any:
    key = place["key"]
    return agentao_store(
        str(place["path"]),
        create=True,
        key=None if key is None else RawKey.from_hex(key),
        keychain=keychain,
    )


def _keychain(helper: Sequence[str] | None) -> AnyKeychain:
    """The keychain is asked by the app's own Python: the agent's needs no keyring."""
    if helper is None:
        return NoKeychain()
    return Keychain(start=lambda environment: Child("keychain", helper, environment))


def _hide_memory() -> None:
    """Keep the key from the commands that the agent runs: they may not read this process's memory.

    Not ``process.worker.seal``: its umask would change the files that the agent makes for people.
    """
    if sys.platform == "linux" and os.name == "posix":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
