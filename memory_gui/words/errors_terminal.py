# SPDX-License-Identifier: MIT
"""The words of errors about how a verb was called."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

TERMINAL_ERRORS: dict[str, ErrorWords] = {
    "bug.found": ErrorWords(
        N_("This is a bug of the program ({kind} at {where})."),
        N_(
            "What was written before it is kept. Please report it; nothing private is in this line."
        ),
    ),
    "usage.wrong": ErrorWords(N_("{detail}"), N_("See memory-cli VERB --help.")),
    "usage.verb": ErrorWords(N_("A verb is missing."), N_("See memory-cli --help.")),
    "usage.later": ErrorWords(N_("“{what}” is not written yet.")),
    "usage.unwritten": ErrorWords(
        N_("The answer could not be written ({reason})."),
        N_("What the command did is kept; its exit status says how it ended."),
    ),
    "usage.stopped": ErrorWords(N_("Stopped."), N_("What was done up to here is kept.")),
    "usage.descriptor": ErrorWords(
        N_("Nothing readable is behind file descriptor {number}."),
        N_("Open it when you call, as in: memory-cli … --key-fd 3 3<FILE"),
    ),
    "usage.two_keys": ErrorWords(N_("Give a raw key or a passphrase, not both.")),
    "usage.raw_key_needed": ErrorWords(
        N_("A store is encrypted with a raw key, not with a passphrase."),
        N_("Give 64 hex digits by --key-fd, or none to use the keychain."),
    ),
    "usage.receipt_file": ErrorWords(
        N_("Name the receipt: receipt verify FILE"),
    ),
    "usage.one_receipt": ErrorWords(
        N_("Several unfinished erases cannot share one receipt."),
        N_("Run --resume without --receipt."),
    ),
    "usage.part_of_everything": ErrorWords(N_("--pair and --scope go with --everything only.")),
    "usage.let_stay": ErrorWords(N_("--let-stay goes with --returned only.")),
    "usage.two_queries": ErrorWords(N_("Give --query or --query-file, not both.")),
    "usage.refs_and_query": ErrorWords(N_("Name records or give a query, not both.")),
    "usage.nothing_chosen": ErrorWords(
        N_("It is not said which records are meant."),
        N_("Name them, or choose them in exactly one other way."),
    ),
    "usage.unreadable": ErrorWords(N_("{file} cannot be read as text.")),
    "usage.no_plain_file": ErrorWords(
        N_("{file} is no plain file."),
        N_("Name a file, or give - to read standard input."),
    ),
    "usage.too_much": ErrorWords(N_("{file} holds more than {most} MB, which is too much.")),
    "usage.empty_query": ErrorWords(
        N_("The text to look for is empty: that would mean every record."),
        N_("Name the records, or give a text that they hold. Nothing was changed."),
    ),
    "usage.no_store": ErrorWords(
        N_("The name of the store is empty."), N_("Give . for the current folder.")
    ),
    "usage.receipt": ErrorWords(N_("--receipt goes with --forget-old only.")),
    "usage.resume": ErrorWords(N_("--resume names the records itself: give none, and no query.")),
    "usage.take_back": ErrorWords(
        N_("--take-back goes with approve or reject, without --query, --resume or --dry-run."),
        N_("Name decided items, or none where such an act was stopped."),
    ),
    "acts.none": ErrorWords(N_("No such act on this store was stopped before its end.")),
    "acts.not_written": ErrorWords(
        N_("The act could not be written down before it began, in {path} ({reason})."),
        N_("Nothing was changed. Make room there, or change the records one by one."),
    ),
    "usage.set": ErrorWords(N_("--set takes FIELD=VALUE."), N_("The fields are these: {fields}.")),
    "usage.kind": ErrorWords(
        N_("The store has no records of that kind."), N_("It has these: {kinds}.")
    ),
    "usage.limit": ErrorWords(N_("--limit must be at least 1.")),
    "usage.cursor": ErrorWords(
        N_("--after takes the “next” of an earlier answer."), N_("Begin again without it.")
    ),
    "usage.despite": ErrorWords(
        N_(
            "--despite takes secret, personal, hidden, conflict, foreign, subject, with commas "
            "between them."
        )
    ),
    "usage.rules": ErrorWords(N_("After “rules” comes one of these, or nothing: {acts}.")),
    "usage.rules_add": ErrorWords(
        N_("A rule approves (--seen N) or rejects (--pattern TEXT)."), N_("Give one of the two.")
    ),
    "usage.rules_which": ErrorWords(
        N_("Say which: rules {act} needs at least one name from the list.")
    ),
    "usage.no_tags": ErrorWords(N_("Say which tags to --add or to --remove.")),
    "usage.yes_needed": ErrorWords(
        N_("This cannot be taken back, and nobody can be asked here."),
        N_("Nothing was changed. Give --yes to go on without a question."),
    ),
    "usage.not_confirmed": ErrorWords(N_("Not confirmed. Nothing was changed.")),
    "usage.keep_key": ErrorWords(
        N_("The store is encrypted, and without the keychain no new key can be kept."),
        N_("Give --keep-key to go on with the key it has, or a new one by --new-key-fd."),
    ),
    "usage.keep_and_new": ErrorWords(
        N_("--keep-key and --new-key-fd exclude each other."), N_("Give one of them.")
    ),
    "usage.new_key_needed": ErrorWords(
        N_("Without the keychain nobody would keep a new key."),
        N_("Give one by --new-key-fd, and keep it yourself."),
    ),
    "usage.out_or_in_place": ErrorWords(N_("Name a new file, or give --in-place; not both.")),
    "usage.stores": ErrorWords(
        N_("Use: stores list, stores name STORE NAME, or stores forget STORE.")
    ),
    "usage.texts": ErrorWords(
        N_("Line {line} of the texts is not one JSON string."),
        N_("Write one JSON string a line, with quotation marks."),
    ),
    "terminal.permission": ErrorWords(
        N_("The file is encrypted, or it is no database: its bytes look random: {path}"),
        N_(
            "Using the keychain's key needs a person at a terminal. Give the key by --key-fd, or "
            "allow it: scripts_may_use_keychain = true in "
            "settings.toml in the app's folder."
        ),
    ),
    "terminal.may_not_ask": ErrorWords(
        N_("This needs the keychain, and nobody is at a terminal to allow that."),
        N_(
            "Run it in a terminal, or allow it: scripts_may_use_keychain = true in "
            "settings.toml in the app's folder."
        ),
    ),
    "terminal.may_not_keep": ErrorWords(
        N_("The new key would go into the keychain, and no person is at a terminal to allow that."),
        N_(
            "Using the keychain's key needs a person at a terminal. Give the key by --key-fd, or "
            "allow it: scripts_may_use_keychain = true in "
            "settings.toml in the app's folder."
        ),
    ),
    "protect.agent_loses": ErrorWords(
        N_("{agent} cannot open an encrypted store: it would go on without its memory."),
        N_("Give --agents-lose-access when that is meant."),
    ),
    "review.conflict": ErrorWords(
        N_("Approving would replace the memory {existing}, whose text would be lost."),
        N_(
            "Look at both, then approve it under another key, or insist: Shift+A in the window,"
            " --despite conflict in the terminal."
        ),
    ),
    "review.opposite": ErrorWords(
        N_("The memory {existing} says the contrary."),
        N_(
            "Look at both, then reject the proposal, or insist: Shift+A in the window, --despite"
            " conflict in the terminal."
        ),
    ),
    "review.hidden": ErrorWords(
        N_("Something in the proposal is not to be seen as it is."),
        N_(
            "Look at what is drawn in ⟦ ⟧, then correct it, or insist: Shift+A in the window,"
            " --despite hidden in the terminal."
        ),
    ),
    "erase.unfinished": ErrorWords(
        N_("An erase of {path} was begun and is not finished ({state})."),
        N_("Run erase --resume on it first. Nothing was changed."),
    ),
    "erase.missing": ErrorWords(
        N_("The store does not hold {count} of those records: {refs}."),
        N_("Nothing was written."),
    ),
}
