# SPDX-License-Identifier: MIT
"""The words of errors about keys, the keychain, recovery keys and our own ledger."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

VAULT_ERRORS: dict[str, ErrorWords] = {
    "vault.slot_taken": ErrorWords(
        N_("The keychain already has a key in slot {slot} of this store."),
        N_("A key is never written over another one. Nothing was changed."),
    ),
    "vault.not_kept": ErrorWords(
        N_("The keychain said the key was stored, but it could not be read back."),
        N_("Nothing was encrypted with it. Check the keychain, then try again."),
    ),
    "vault.not_removed": ErrorWords(
        N_("The keychain still has the key in slot {slot}."),
        N_("Remove the entry in the keychain's own program, or try again."),
    ),
    "vault.locked": ErrorWords(
        N_("The keychain is locked, so no key was written or removed."),
        N_("Unlock it and try again."),
    ),
    "vault.denied": ErrorWords(
        N_("The keychain refused this program, so no key was written or removed."),
        N_("Allow this program in the system's settings and try again."),
    ),
    "vault.unavailable": ErrorWords(
        N_("No keychain answered, so no key was written or removed."),
        N_("Start the keychain and try again."),
    ),
    "vault.silent": ErrorWords(
        N_(
            "The keychain did not answer within 5 seconds. Whether it did what was asked is "
            "not known."
        ),
        N_(
            "Start it anew and try again: what it has is looked at first, and nothing is "
            "written over."
        ),
    ),
    "vault.off": ErrorWords(
        N_("The keychain is switched off for this run."),
        N_("Start without --no-keychain to store or remove keys."),
    ),
    "usage.cipher_settings": ErrorWords(
        N_("The settings of --cipher-settings are not understood."),
        N_(
            "Give them with commas: page=1024 (a power of two from 512 to 65536), iterations=4000, "
            "hmac=sha1|sha256|sha512|none, kdf=sha1|sha256|sha512, header=32, salt=32 hex digits."
        ),
    ),
    "keys.readable": ErrorWords(
        N_("This store is not encrypted, so there is no key to keep: {path}"),
    ),
    "keys.no_salt": ErrorWords(
        N_("No keychain entry can belong to this file, because it does not hold its salt: {path}"),
        N_(
            "Its key has to be entered each time. “Copy in today’s format…” on the store’s page, or"
            " “memory-cli migrate”, makes a copy whose key can be kept."
        ),
    ),
    "keys.slots_full": ErrorWords(
        N_("The keychain already has two other keys for this store."),
        N_(
            "Neither is written over: one of them may open a backup. Remove the one you do not "
            "need in the keychain’s own program, then try again."
        ),
    ),
    "keys.nowhere": ErrorWords(
        N_("No other keychain is known to have the key of this store: {path}"),
        N_("There is nothing to move. A key that was typed can be kept with “key import”."),
    ),
    "keys.not_moved": ErrorWords(
        N_("The key of this store was not moved: {path}"),
        N_("The keychain that had it did not give it. Nothing was changed."),
    ),
    "keys.stopped_before": ErrorWords(
        N_("You stopped before it was taken out there."),
    ),
    "keys.does_not_open": ErrorWords(
        N_("The key that came back from the keychain does not open the store, so it was not kept."),
        N_("Nothing was removed anywhere. Check the keychain, then try again."),
    ),
    "keys.would_be_lost": ErrorWords(
        N_("Nobody has seen another copy of this key work, so it stays in the keychain: {path}"),
        N_(
            "Without it the store could never be opened again. Make the recovery key and enter it "
            "once to confirm it, or give the key itself."
        ),
    ),
    "keys.twice": ErrorWords(
        N_("Two keys in a row did not open the store, so nothing more is asked: {path}"),
        N_(
            "Nothing was changed. Look where the key comes from: is it the key of this very file, "
            "and of this version of it?"
        ),
    ),
    "recovery.readable": ErrorWords(
        N_("This store is not encrypted, so it needs no recovery key: {path}"),
    ),
    "recovery.passphrase": ErrorWords(
        N_("This store opens with a passphrase, so that is what to keep safe: {path}"),
        N_("A recovery key is made for stores whose key is random."),
    ),
    "recovery.settings": ErrorWords(
        N_(
            "This store is encrypted with settings of its own, which a recovery key does not hold: "
            "{path}"
        ),
        N_(
            "“Copy in today’s format…” on the store’s page, or “memory-cli migrate”, makes a copy, "
            "which has one."
        ),
    ),
    "recovery.not_here": ErrorWords(
        N_("A recovery key is shown at a terminal only, or written to a file with --out."),
        N_("Anything else could keep a copy of it: a log, a pipe, another program."),
    ),
    "recovery.exists": ErrorWords(
        N_("There is already a file at {path}."),
        N_("Nothing is written over it. Choose another name."),
    ),
    "recovery.not_written": ErrorWords(
        N_("The recovery key could not be written to {path}."),
        N_("Nothing was left there. Choose another place."),
    ),
    "recovery.not_printed": ErrorWords(
        N_("The printer could not be used, so nothing was printed."),
        N_("Choose another one, or save the recovery key as PDF."),
    ),
    "recovery.none_here": ErrorWords(
        N_("This store has no recovery key: it is not open, not encrypted, or has a passphrase."),
        N_("A recovery key is made of the random key of an encrypted store that is open."),
    ),
    "recovery.other_key": ErrorWords(
        N_("That is a recovery key, but not the one of this store as it is now: {path}"),
        N_("The key may have been changed since that paper was made. Nothing was confirmed."),
    ),
    "recovery.empty": ErrorWords(N_("Nothing was entered.")),
    "recovery.letter": ErrorWords(
        N_("Character {place} of group {group} cannot be in a recovery key."),
        N_("It has the digits 0–9 and the letters A–Z without I, L, O and U."),
    ),
    "recovery.group_length": ErrorWords(
        N_("Group {group} has {count} characters; each has 5."),
        N_("Compare this group with the paper."),
    ),
    "recovery.length": ErrorWords(
        N_("That is {count} characters long; a recovery key has 14 groups of 5, together 70."),
        N_("Compare the beginning and the end with the paper."),
    ),
    "recovery.groups": ErrorWords(
        N_("There are slips in {count} groups; the first is group {group}."),
        N_("Compare them with the paper, or look whether a group is missing before."),
    ),
    "recovery.group": ErrorWords(
        N_("There is a slip in group {group}."),
        N_(
            "Compare this group with the paper: a wrong character, two swapped ones, or a "
            "group at the wrong place."
        ),
    ),
    "recovery.sum": ErrorWords(
        N_("Each group is right by itself, but together they are no recovery key."),
        N_("Were groups of two different sheets mixed?"),
    ),
    "recovery.version": ErrorWords(
        N_("This recovery key was made by a newer version of the program."),
        N_("Use that version, or a newer one."),
    ),
    "pending.other": ErrorWords(
        N_("An earlier erase of {path} is not finished."),
        N_("Finish it first: “memory-cli erase {path} --resume”, or open the store in the window."),
    ),
    "pending.in_ledger": ErrorWords(
        N_(
            "An erase of {path} is not finished, and its note is in this program's own records, "
            "which are closed now."
        ),
        N_(
            "Unlock or start the keychain, and start without --no-keychain: then it can be "
            "finished. Where the records themselves cannot be read, “memory-cli stores list” says "
            "why, and how to begin anew."
        ),
    ),
    "pending.disk_full": ErrorWords(
        N_("The disk is full: the erase could not be written down in {path}."),
        N_("Without that nothing is erased. Make room there, then try again."),
    ),
    "pending.failed": ErrorWords(
        N_("The erase could not be written down in {path}."),
        N_("Without that nothing is erased. Make the folder writable, then try again."),
    ),
    "pending.unreadable": ErrorWords(
        N_("The note of an unfinished erase cannot be read: {path}."),
        N_("Erase the same records again, then remove this file."),
    ),
    "ledger.folder": ErrorWords(
        N_("The data folder {path} cannot be used: it is no folder, or belongs to another user."),
        N_("Correct its owner, or use another folder."),
    ),
}
