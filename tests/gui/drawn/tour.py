# SPDX-License-Identifier: MIT
"""What the tour draws. ``test_pictures`` draws it and compares the names."""

TOUR = (
    *("start", "home", "memories", "search", "filters", "bulk", "compact", "stopped"),
    *("summaries", "activity", "trash", "hidden", "edit", "new"),
    *("shortcuts", "commands"),
    *("edit-diff", "edit-both", "edit-taken", "clash"),
    *("key-absent", "key-locked", "key-denied", "key-unavailable", "key-mismatch", "key-moved"),
    *("key-half", "recovery", "recovery-shown", "recovery-enter"),
    *("review", "erase-plan", "erase-result", "settings", "agent-view", "key", "locked"),
    *("protect", "protect-readable", "protect-key"),
    *("cases", "case-finds", "case-plan", "case-answer"),
)
