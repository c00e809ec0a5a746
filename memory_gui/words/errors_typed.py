# SPDX-License-Identifier: MIT
"""What helps on at a terminal, where the window has a button for it: by the error's code."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_

TYPED: Final[dict[str, str]] = {
    "case.nothing": N_(
        "If all of it is done, close the case: memory-cli case close {number}. Else decide on "
        "finds with “case hold”, or take a heap along with --include."
    ),
    "case.running": N_(
        "Run it again: it can be closed when everything is proved. Where only files beside the "
        "stores still repeat it, accept that with a reason: memory-cli case accept {number} "
        "--reason CODE."
    ),
    "case.undecided": N_(
        "Erase them, put them on hold, or keep them with a reason. Or close it with "
        "--leave-undecided: that is kept with the case, and told in the letter and the receipt."
    ),
    "case.unknown": N_("“memory-cli case list --all” names them."),
    "case.no_item": N_("“memory-cli case show” numbers them."),
    "case.hold_reason": N_(
        "“memory-cli case --help” lists them; “other” needs a text beside it, by --text-file."
    ),
    "case.keep_reason": N_(
        "“memory-cli case --help” lists them; “other” needs a text beside it, by --text-file."
    ),
    "erase.on_hold": N_(
        "Nothing was changed. Lift the hold or the restriction first: memory-cli case hold CASE "
        "REF --store STORE --as lift."
    ),
    "record.on_hold": N_(
        "Lift the hold first: memory-cli case hold {case} REF --store STORE --as lift."
    ),
    "record.restricted": N_(
        "Lift the restriction first: memory-cli case hold {case} REF --store STORE --as lift."
    ),
    "pending.other": N_("Finish it first: “memory-cli erase {path} --resume”."),
    "rotation.cipher": N_("Make a copy first: “memory-cli migrate STORE OUT”."),
    "keys.no_salt": N_(
        "Its key has to be entered each time. “memory-cli migrate STORE OUT” makes a copy whose "
        "key can be kept."
    ),
    "recovery.settings": N_("“memory-cli migrate STORE OUT” makes a copy, which has one."),
    "store.no_page_checks": N_(
        "Nothing was changed. “memory-cli migrate STORE OUT” makes a copy where erasing works; "
        "delete the old file when you do not need it any more."
    ),
    "store.half_header": N_(
        "The salt of its key is not in the file, and one setting forgotten while writing would "
        "make it unreadable for good. “memory-cli migrate STORE OUT” makes a copy that can be "
        "changed."
    ),
    "review.conflict": N_(
        "Look at both, then approve it under another key, or insist with --despite conflict."
    ),
    "review.opposite": N_(
        "Look at both, then reject the proposal, or insist with --despite conflict."
    ),
    "review.hidden": N_(
        "Look at what is drawn in ⟦ ⟧, then correct it, or insist with --despite hidden."
    ),
    "review.personal": N_("Look at it, then correct it, or insist with --despite personal."),
}
