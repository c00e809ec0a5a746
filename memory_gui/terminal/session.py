# SPDX-License-Identifier: MIT
"""What one call of a verb works with: arguments, words, services, keys, the person."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TextIO

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, Passphrase, RawKey, Unavailable
from memory_gui.domain.language import Hint, parse
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.erasure.result import EraseState
from memory_gui.services import KeyPlace, Listing, OpenedStore, Services
from memory_gui.services.own.settings import SettingValues
from memory_gui.terminal.agent_above import agent_above
from memory_gui.terminal.inputs import existing_name, plain, read_descriptor, read_text
from memory_gui.terminal.keyinput import ask_twice, raw_key_in, settings_of
from memory_gui.terminal.output import Output
from memory_gui.terminal.progress import progress
from memory_gui.terminal.returned import look as look_returned
from memory_gui.terminal.unattended import UNLISTED
from memory_gui.vault.keychain import AnyKeychain, Found, Keychain, NoKeychain
from memory_gui.words import Words
from memory_gui.words.erasure import state_text
from memory_gui.words.hints import say_hint
from memory_gui.words.keys import explain_ledger
from memory_gui.words.rotation import NEWS, STRAY
from memory_gui.words.stopped import ways_on


@dataclass(frozen=True, slots=True)
class Streams:
    """Where a verb reads and writes; the terminal itself is asked through ``/dev/tty``."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO


class UnpermittedKeychain(NoKeychain):
    """A keychain that scripts may not use before a person allowed it."""

    def find_in(self, service: str) -> Found:
        """Refuse for stores; for the app's own file it is switched off."""
        if service.startswith("memory-gui/") and len(service) == len("memory-gui/") + 32:
            raise UserError("terminal.permission", path="")
        return Unavailable(("off",))


class Session:
    """One call. ``close`` at its end."""

    def __init__(
        self,
        args: Namespace,
        output: Output,
        streams: Streams,
        *,
        make_services: Callable[[AnyKeychain], Services],
        settings: Callable[[], SettingValues],
        environment: Mapping[str, str],
    ) -> None:
        self.args = args
        self.words = output.words
        self.out = output
        self.streams = streams
        self.environment = environment
        self.cancel = CancelToken()
        self.returned: tuple[Ref, ...] = ()
        self._make_services = make_services
        self._settings = settings
        self._services: Services | None = None
        self._key: Key | None = None
        self._key_read = False
        self._prompt_said = False
        self._told: list[Hint] = []
        self._new_key: RawKey | None = None

    # ---- services and keys

    @property
    def services(self) -> Services:
        """Made when first needed."""
        if self._services is None:
            self._services = self._make_services(self.keychain())
        return self._services

    @cached_property
    def by_agent(self) -> str:
        """The agent that made this call, as far as it can be seen; else empty."""
        return agent_above(self.environment)

    @property
    def attended(self) -> bool:
        """Whether a person made this call: at a terminal, and no agent is in between."""
        return has_terminal() and not self.by_agent

    def write_down(self, verb: str, status: int) -> None:
        """Keep a call that no person made, for Activity. Opens and asks nothing."""
        if self._services is not None and verb not in UNLISTED and not self.attended:
            self._services.uses.record(verb, self.by_agent, self.out.records, status)

    def keychain(self) -> AnyKeychain:
        """The person's keychain, as far as this call may use it."""
        if self.args.no_keychain:
            return NoKeychain()
        if not self.attended and not self._scripts_may():
            return UnpermittedKeychain()
        return Keychain(environment=self.environment, on_prompt=self._say_prompt)

    def check_it_may_keep(self) -> None:
        """Refuse what would put a new key into a keychain that this call may not use.

        Raises:
            UserError: ``terminal.may_not_keep``.
        """
        if isinstance(self.keychain(), UnpermittedKeychain):
            raise UserError("terminal.may_not_keep")

    def check_it_may_ask(self) -> None:
        """Refuse what needs our own entry of a keychain that this call may not use.

        Raises:
            UserError: ``terminal.may_not_ask``.
        """
        if isinstance(self.keychain(), UnpermittedKeychain):
            raise UserError("terminal.may_not_ask")

    def _say_prompt(self, can_be_open: bool) -> None:
        """Once, that the call waits for a person and not for the store: nothing else shows it."""
        if can_be_open and not self._prompt_said:
            self._prompt_said = True
            self.out.note(
                self.words.say(
                    "The keychain asks for its password in a window of its own. Ctrl+C gives up."
                )
            )

    def _scripts_may(self) -> bool:
        """Whether a person allowed it before; the tour has only a key of its own."""
        return self.args.verb == "tour" or self._settings().scripts_may_use_keychain

    def key(self) -> Key | None:
        """The key given by a descriptor, read once. Never from an argument or the environment.

        Raises:
            UserError: ``usage.descriptor``, ``usage.two_keys``, ``key.length``, ``key.empty``.
        """
        if not self._key_read:
            self._key_read = True
            self._key = self._given_key()
        return self._key

    def new_key(self) -> RawKey | None:
        """The key of ``--new-key-fd``, read once: what a store is to open with afterwards.

        Raises:
            UserError: ``usage.descriptor``, ``key.length``.
        """
        number = getattr(self.args, "new_key_fd", None)
        if self._new_key is None and number is not None:
            self._new_key = RawKey.from_hex(read_descriptor(number))
        return self._new_key

    def _given_key(self) -> Key | None:
        raw, phrase = self.args.key_fd, self.args.passphrase_fd
        if raw is not None and phrase is not None:
            raise UserError("usage.two_keys")
        settings = settings_of(self.args)
        if raw is not None:
            return raw_key_in(read_descriptor(raw), settings)
        if phrase is not None:
            return Passphrase(read_descriptor(phrase), settings=settings)
        return None

    def open(self, *, pair: bool = True, write: bool = False) -> OpenedStore:
        """Open the store that the verb names, asking for its key when a person is there.

        Before a verb that will ``write``, an erase of the store that was begun is finished.

        Raises:
            UserError: ``store.*``, ``key.*``, ``erase.unfinished``.
        """
        path = self.path()
        key = self.key()
        if key is not None:
            self.services.rotating.finish(self.services.library.locate(path).main, key)
        if write:
            self._finish_begun(path, key)
        try:
            opened = self._open(path, key, pair=pair)
        except UserError as error:
            if error.code == "key.needed":
                error.params["ignored"] = self._ignored(error)
            if error.code != "key.needed" or key is not None or not has_terminal():
                raise
            opened = self._ask_key(path, error, pair=pair)
        self._say_stopped(opened)
        self.returned = look_returned(self, opened)
        return opened

    def _say_stopped(self, store: OpenedStore) -> None:
        """Acts over several records that a kill stopped are told until they are finished."""
        if getattr(self.args, "resume", False) or getattr(self.args, "take_back", False):
            return
        for one in self.services.editing.stopped(store.id):
            for line in ways_on(self.words, one.act, one.done, one.total):
                self.out.note(line)
        for told in self.services.rotating.news():
            self.out.note(self.words.say(NEWS[told.code], path=told.path))
        for stray in self.services.protect.strays():
            if stray.path == store.info.path:
                self.out.note(self.words.say(STRAY, path=stray.path, agent=store.info.agent))

    def _open(self, path: str, key: Key | None, *, pair: bool) -> OpenedStore:
        library = self.services.library
        main = str(library.locate(path).main)
        try:
            group = library.open(path, key=key, pair=pair, place=KeyPlace.TYPED, cancel=self.cancel)
        except UserError as error:
            if error.code == "terminal.permission":
                raise UserError("terminal.permission", path=main) from error
            raise
        return next(store for store in group if store.info.path == main)

    def _finish_begun(self, path: str, key: Key | None) -> None:
        for result in self.services.erasing.finish_begun(path, key=key):
            if result.state is EraseState.NOT_FINISHED:
                raise UserError("erase.unfinished", path=path, state=str(result.state))
            state = state_text(
                self.words,
                str(result.state),
                accepted=result.accepted,
                keeps=result.keeps,
                out_of_reach=result.out_of_reach,
                other_store=result.other_store,
            )
            self.out.note(self.words.say("An erase that was begun: {state}.", state=state))

    def path(self) -> str:
        """The path that STORE names."""
        store = existing_name(self.args.store)
        if store.startswith("name:"):
            store = self.services.library.path_of(store.removeprefix("name:"))
        if name := getattr(self.args, "format_name", None):
            self.services.library.choose_format(store, name)
        return store

    def _ignored(self, error: UserError) -> tuple[str, ...]:
        """What asks for another keychain and was not listened to."""
        if "silent" in str(error.params.get("reasons", "")):  # it would be silent once more
            return ()
        return self.services.keychain.backend().ignored

    def _ask_key(self, path: str, why: UserError, *, pair: bool) -> OpenedStore:
        opened, self._key = ask_twice(
            self.out,
            path,
            settings_of(self.args),
            why,
            lambda key: self._open(path, key, pair=pair),
        )
        if self.args.verb != "key" and not self.args.no_keychain:
            self.out.note(
                self.words.say("To keep the key in the keychain: memory-cli key import STORE")
            )
        return opened

    # ---- our own records

    def ledger_field(self) -> dict[str, object]:
        """For a document: why the app runs without its own records; nothing where it has them."""
        state = self.services.keeper.state
        if state is None or state.code == "open":
            return {}
        text = explain_ledger(Words("en"), state.code).text
        return {"ledger": {"state": state.code, "text": text}}

    def say_ledger(self) -> None:
        """The same for a person, on standard error."""
        state = self.services.keeper.state
        if state is not None and state.code != "open":
            self.out.note(explain_ledger(self.words, state.code).text)

    # ---- records

    def ref(self, store: OpenedStore, text: str) -> Ref:
        """The record that a text names. Raises UserError ``ref.unknown``."""
        found = self.services.library.resolve(store.id, text)
        if found is None:
            raise UserError("ref.unknown", ref=text)
        return found

    def query_text(self) -> str | None:
        """The text to look for, from the argument, a file or standard input.

        Raises:
            UserError: ``usage.two_queries``, ``usage.unreadable``; ``usage.empty_query`` where
                the verb changes records.
        """
        if self.args.query is not None and self.args.query_file is not None:
            raise UserError("usage.two_queries")
        text: str | None = self.args.query
        if self.args.query_file is not None:
            text = self.read_text(self.args.query_file).removesuffix("\n")
        elif text is not None:
            text = plain(text, "--query")
        if text is None:
            return None
        parsed = parse(text)
        if not parsed.terms and self._changes():
            raise UserError("usage.empty_query")
        self._tell(parsed.hints)
        return text

    def found(self, query: Query, sort: str = "created") -> Listing:
        """What a query finds; what is to be known of the values that it names is said beside."""
        library = self.services.library
        listing = library.search(query, sort, self.cancel)
        self.tell_hints(query)
        return listing

    def tell_hints(self, query: Query) -> None:
        """Say of a query that was searched for what ``query_text`` could not know."""
        self._tell(self.services.library.hints(query))

    def _tell(self, hints: Sequence[Hint]) -> None:
        for hint in hints:
            if hint not in self._told:
                self._told.append(hint)
                self.out.note(say_hint(self.words, hint.code, hint.params))

    def _changes(self) -> bool:
        """Whether the verb may change what the query chooses: then an empty one is a slip."""
        args = self.args
        return args.verb not in _LOOKING and getattr(args, "act", "") != "list"

    def chosen(self, store: OpenedStore, query: Query) -> list[Ref]:
        """The records that a verb is about: those named, or those that hold the query's text.

        Raises:
            UserError: ``usage.nothing_chosen``, ``usage.refs_and_query``, ``ref.unknown``.
        """
        text = self.query_text()
        if text is None:
            if not self.args.refs:
                raise UserError("usage.nothing_chosen")
            return [self.ref(store, ref) for ref in dict.fromkeys(self.args.refs)]
        if self.args.refs:
            raise UserError("usage.refs_and_query")
        wanted = Query(
            text=text, stores=frozenset({store.id}), kinds=query.kinds, states=query.states
        )
        found = self.services.library.window(self.found(wanted).ids)
        return [record.ref for record in found if record is not None]

    def read_text(self, name: str) -> str:
        """The text of a file, or of standard input for ``-``.

        Raises:
            UserError: as ``inputs.read_text``.
        """
        return read_text(name, self.streams.stdin)

    # ---- the person

    def progress(self) -> AbstractContextManager[Tick]:
        """A tick that shows on a terminal how far an act is."""
        return progress(self.words, self.streams.stderr)

    def confirm(self, question: str) -> None:
        """Ask before something that cannot be taken back, unless ``--yes`` was given.

        Raises:
            UserError: ``usage.yes_needed`` where nobody can be asked, ``usage.not_confirmed``.
        """
        if self.args.yes:
            return
        try:
            with Path("/dev/tty").open("r+b", buffering=0) as terminal:
                shown = self.words.say("{question} Type yes to go on: ", question=question)
                terminal.write(shown.encode("utf-8", "replace"))
                answer = terminal.readline().decode("utf-8", "replace").strip().lower()
        except OSError as error:
            raise UserError("usage.yes_needed") from error
        if answer not in {"yes", "是", "y"}:
            raise UserError("usage.not_confirmed")

    def close(self) -> None:
        """Let go of everything."""
        if self._services is not None:
            self._services.close()


_LOOKING: Final = frozenset({"list", "export"})


def has_terminal() -> bool:
    """Whether a person can be asked: the process has a controlling terminal."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return sys.platform == "win32" and sys.stdin.isatty()
    return True
