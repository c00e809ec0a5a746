# SPDX-License-Identifier: MIT
"""``key info|rotate|recovery|import|forget`` and ``migrate``."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Present, RawKey
from memory_gui.services import OpenedStore
from memory_gui.services.keys.keeping import KeyLook
from memory_gui.services.keys.papers import write_paper
from memory_gui.services.keys.recovery import RecoverySheet, RecoveryState
from memory_gui.services.library.keyfinder import REASONS
from memory_gui.terminal import names, rotating
from memory_gui.terminal.inputs import read_descriptor
from memory_gui.terminal.keyinput import MOST_REFUSALS
from memory_gui.terminal.parser import Parser, Verb, with_store
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import N_, Words
from memory_gui.words.errors import explain
from memory_gui.words.keys import IGNORED, backend_name, explain_half, explain_key
from memory_gui.words.migrating import say_migrated
from memory_gui.words.recovery import LAST_GROUP, plain_text, say_state

ACTS: Final = ("info", "rotate", "recovery", "import", "forget")
_PLACES: Final = {"secret-service": "SecretService.Keyring", "kwallet": "kwallet.DBusKeyring"}
_DARK: Final = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Half blocks: light modules are drawn, as most terminals are dark; a reader takes both."""


def _arguments(parser: Parser, words: Words) -> None:
    parser.add_argument("act", metavar="ACT", choices=ACTS, help=", ".join(ACTS))
    with_store(parser, words)
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=words.say("recovery: write it to this new file, which only you can read"),
    )
    parser.add_argument(
        "--confirm",
        action="store_true",
        help=words.say("recovery: enter it again, to see that the paper works"),
    )
    parser.add_argument(
        "--confirm-fd",
        type=int,
        metavar="N",
        help=words.say("recovery: the same, read from file descriptor N"),
    )
    parser.add_argument(
        "--to",
        choices=sorted(_PLACES),
        help=words.say("import: move the key to this keychain, and take it out of the other"),
    )
    rotating.rotate_arguments(parser, words)


def key(session: Session) -> Exit:
    """One of the acts."""
    return _RUN[session.args.act](session)


# ---- info


def _info(session: Session) -> Exit:
    """What is known of the key, whether or not it opens the store; ends 3 when it does not."""
    path, given = session.path(), session.key()
    look = session.services.keys.look(path)
    opened = None
    if given is not None or not look.encrypted or isinstance(look.result, Present):
        opened = session.open(pair=False)
    state = None if opened is None else session.services.recovery.state(opened.id)
    session.out.document({**_info_data(look, opened, state), **session.ledger_field()})
    for line in _info_lines(session.words, look, opened, state):
        session.out.line(line)
    session.say_ledger()
    return Exit.DONE if opened is not None else Exit.NO_KEY


def _info_data(
    look: KeyLook, opened: OpenedStore | None, state: RecoveryState | None
) -> dict[str, Any]:
    result = look.result
    return {
        "store": look.path,
        "encrypted": look.encrypted,
        "result": None if result is None else REASONS[type(result)],
        "reasons": list(getattr(result, "reasons", ())),
        "keychain": look.backend.name,
        "provider": look.backend.provider,
        "locked": look.backend.locked,
        "ignored": list(look.backend.ignored),
        "recorded": look.recorded,
        "others": list(look.others),
        "opened": opened is not None,
        "key_place": None if opened is None else opened.key_place.value,
        "recovery": None if state is None else recovery_data(state),
    }


def recovery_data(state: RecoveryState) -> dict[str, Any]:
    """Where a store stands with its recovery key; never the key."""
    return {
        "state": state.code,
        "made_at": state.made_at or None,
        "confirmed_at": state.confirmed_at or None,
        "stale_at": state.stale_at or None,
        "kept": state.kept,
    }


def _info_lines(
    words: Words, look: KeyLook, opened: OpenedStore | None, state: RecoveryState | None
) -> list[str]:
    lines = [words.say("Store: {path}", path=look.path)]
    if not look.encrypted:
        return [*lines, words.say("It is not encrypted, so it has no key.")]
    if look.result is None:
        lines.append(explain_half(words).text)
    else:
        told = explain_key(words, look.result)
        lines += [told.text, *told.details]
    if look.backend.provider:
        lines.append(words.say("Behind it: {program}", program=look.backend.provider))
    if opened is not None:
        place = names.key_place(words, opened.key_place)
        lines.append(words.say("It was opened with a key that is: {place}.", place=place))
    lines += [words.say("The same entry opens {path}.", path=path) for path in look.others]
    lines += [words.say(IGNORED, what=what) for what in look.backend.ignored]
    return lines + ([] if state is None else say_state(words, state))


# ---- recovery


def _recovery(session: Session) -> Exit:
    """Show it at a terminal, write it to a file, or confirm it."""
    args = session.args
    confirms = args.confirm or args.confirm_fd is not None
    if args.out is None and not confirms and not _shown_to_a_person(session):
        raise UserError("recovery.not_here")
    store = session.open(pair=False)
    if confirms:
        return _confirm(session, store)
    sheet = session.services.recovery.make(store.id)
    state = session.services.recovery.state(store.id)
    if args.out is not None:
        write_paper(Path(args.out), plain_text(session.words, [sheet]).encode())
        session.out.line(session.words.say("The recovery key is in {path}.", path=args.out))
    else:
        _show(session, sheet)
    session.out.document(
        {
            "store": store.info.path,
            "out": args.out,
            "recovery": recovery_data(state),
            **session.ledger_field(),
        }
    )
    for line in say_state(session.words, state):
        session.out.line(line)
    if not state.recoverable:
        session.out.line(
            session.words.say("Then enter it from there: memory-cli key recovery STORE --confirm")
        )
    session.say_ledger()
    return Exit.DONE


def _shown_to_a_person(session: Session) -> bool:
    return session.streams.stdout.isatty() and not session.out.as_json and session.attended


def _show(session: Session, sheet: RecoverySheet) -> None:
    out = session.out
    out.line()
    for line in sheet.lines:
        out.line(f"    {line}")
    out.line()
    for line in _qr_lines(sheet.qr):
        out.line(f"    {line}")
    out.line()
    out.line(session.words.say(LAST_GROUP))


def _qr_lines(modules: tuple[tuple[bool, ...], ...]) -> list[str]:
    """Two rows of modules a line, with the margin that a reader wants."""
    width = len(modules) + 4
    margin = [(False,) * width] * 2
    rows = [*margin, *((False, False, *row, False, False) for row in modules), *margin]
    if len(rows) % 2:
        rows.append((False,) * width)
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(_DARK[pair] for pair in zip(up, down, strict=True)) for up, down in pairs]


def _confirm(session: Session, store: OpenedStore) -> Exit:
    recovery = session.services.recovery
    if session.args.confirm_fd is not None:
        texts: list[str] = [read_descriptor(session.args.confirm_fd)]
    else:
        texts = []
    for number in range(MOST_REFUSALS):
        text = texts[number] if number < len(texts) else _asked(session)
        try:
            fits = recovery.confirm(store.id, text)
        except UserError as error:
            if texts or not error.code.startswith("recovery.") or number == MOST_REFUSALS - 1:
                raise
            session.out.note(explain(session.words, error).text)
            continue
        if not fits:
            raise UserError("recovery.other_key", path=store.info.path)
        break
    state = recovery.state(store.id)
    session.out.document(
        {
            "store": store.info.path,
            "recovery": recovery_data(state),
            **session.ledger_field(),
        }
    )
    session.out.line(session.words.say("Confirmed: this recovery key opens the store."))
    for line in say_state(session.words, state):
        session.out.line(line)
    session.say_ledger()
    return Exit.DONE


def _asked(session: Session) -> str:
    try:
        return getpass.getpass(session.words.say("Recovery key, from the paper: "))
    except (EOFError, OSError) as error:
        raise UserError("recovery.empty") from error


# ---- import and forget


def _import(session: Session) -> Exit:
    """Put the key that opens the store into the keychain, or move it to another one."""
    store = session.open(pair=False)
    keys, to = session.services.keys, session.args.to
    kept = keys.keep(store.id) if to is None else keys.move(store.id, _PLACES[to])
    where = kept.place.partition("@")[0]
    session.out.document(
        {
            "store": store.info.path,
            "keychain": where,
            "key_place": kept.store.key_place.value,
            "stays": None if kept.stays is None else kept.stays.code,
        }
    )
    words = session.words
    session.out.line(
        words.say(
            "The key was put into {backend}, and it opened the store from there.",
            backend=backend_name(words, where),
        )
    )
    if kept.stays is not None:
        session.out.note(
            words.say("It is still where it was, too: {why}", why=explain(words, kept.stays).text)
        )
    return Exit.DONE


def _forget(session: Session) -> Exit:
    """Take the key out of the keychain, where it is not lost by that."""
    given = session.key()
    look = session.services.keys.look(session.path())
    store = session.open(pair=False)
    for other in look.others:
        session.out.note(session.words.say("{path} opens with the same key.", path=other))
    session.confirm(session.words.say("Take the key out of the keychain?"))
    slots = session.services.keys.forget(
        store.id, given=given if isinstance(given, RawKey) else None
    )
    left = session.services.keys.left(store.id)
    session.out.document({"store": store.info.path, "removed": list(slots), "left": list(left)})
    session.out.line(
        session.words.say("The keychain has no key for this store any more.")
        if slots
        else session.words.say("The keychain had no key for this store.")
    )
    if left:
        session.out.note(
            session.words.say(
                "An earlier key stays in the keychain: copies made before the key was changed"
                " need it."
            )
        )
    return Exit.DONE


# ---- migrate


def _migrate_arguments(parser: Parser, words: Words) -> None:
    with_store(parser, words)
    parser.add_argument("out", metavar="OUT", help=words.say("the new file"))


def migrate(session: Session) -> Exit:
    """Write a copy that is encrypted in today's way, under the same key; the store stays."""
    store = session.open(pair=False)
    with session.progress() as tick:
        done = session.services.migrating.migrate(store.id, Path(session.args.out), tick=tick)
    session.out.document(
        {
            "store": store.info.path,
            "out": session.args.out,
            "rows": done.rows,
            "encrypted": True,
            "key_kept": done.kept,
        }
    )
    for line in say_migrated(session.words, done.rows, session.args.out, kept=done.kept):
        session.out.line(line)
    return Exit.DONE


_RUN: Final[Mapping[str, Callable[[Session], Exit]]] = {
    "info": _info,
    "rotate": rotating.rotate,
    "recovery": _recovery,
    "import": _import,
    "forget": _forget,
}
VERBS: Final = (
    Verb("key", N_("a store's key: info, rotate, recovery, import, forget"), _arguments),
    Verb("migrate", N_("a copy that is encrypted in today's way"), _migrate_arguments),
)
RUN: Final = {"key": key, "migrate": migrate}
