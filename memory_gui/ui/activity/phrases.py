# SPDX-License-Identifier: MIT
"""Words for what happened."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final

from babel.dates import format_date, format_time

from memory_gui.services.activity.activity import BY_APPROVAL, About, Happening, Who
from memory_gui.ui.icons import Icon
from memory_gui.ui.privacy.masking import masked
from memory_gui.ui.visible import one_line
from memory_gui.words import N_, Words

WHAT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "create": N_("made"),
        BY_APPROVAL: N_("made"),
        "add": N_("made"),
        "update": N_("changed"),
        "edit": N_("changed"),
        "tag": N_("tags changed"),
        "soft_delete": N_("moved to the trash"),
        "trash": N_("moved to the trash"),
        "restore": N_("restored"),
        "delete": N_("deleted"),
        "approve": N_("approved"),
        "reject": N_("rejected"),
        "reopen": N_("opened for review again"),
        "unapprove": N_("approvals taken back"),
        "rule_approve": N_("approved by a rule"),
        "rule_reject": N_("rejected by a rule"),
        "undo": N_("an act taken back"),
        "redo": N_("an act done again"),
        "erase": N_("erased"),
        "encrypt": N_("store encrypted"),
        "decrypt": N_("store made readable"),
        "rotate": N_("key changed"),
    }
)
GROUPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "made": N_("made"),
        "changed": N_("changed"),
        "trash": N_("trash and back"),
        "review": N_("decided in review"),
        "back": N_("taken back"),
        "erased": N_("erased"),
        "protect": N_("encryption and keys"),
    }
)
_ICONS: Final[Mapping[str, Icon]] = MappingProxyType(
    {
        "create": Icon.ADD,
        BY_APPROVAL: Icon.CHECK,
        "add": Icon.ADD,
        "update": Icon.EDIT,
        "edit": Icon.EDIT,
        "tag": Icon.EDIT,
        "soft_delete": Icon.TRASH,
        "trash": Icon.TRASH,
        "restore": Icon.RESTORE,
        "delete": Icon.CLOSE,
        "approve": Icon.CHECK,
        "reject": Icon.CLOSE,
        "reopen": Icon.REVIEW,
        "unapprove": Icon.UNDO,
        "rule_approve": Icon.CHECK,
        "rule_reject": Icon.CLOSE,
        "undo": Icon.UNDO,
        "redo": Icon.REDO,
        "erase": Icon.ERASE,
        "encrypt": Icon.LOCK,
        "decrypt": Icon.READABLE,
        "rotate": Icon.KEY,
    }
)
_NAMED: Final = 4


def icon_of(one: Happening) -> Icon:
    """What stands before it."""
    return _ICONS.get(one.code, Icon.ACTIVITY)


def who(words: Words, one: Happening) -> str:
    """Whose doing it was."""
    if one.who is Who.YOU:
        return words.say("You, in the terminal") if one.in_terminal else words.say("You")
    if one.who is Who.PROGRAM:
        name = one_line(one.by, 40)
        return words.say("{name}, in the terminal", name=name) if name else words.say("A program")
    if one.code == BY_APPROVAL:
        return words.say("By approval")
    return one_line(one.by, 40) or words.say("The agent")


def what(words: Words, one: Happening) -> str:
    """What was done."""
    if one.who is Who.PROGRAM:
        return words.say("used {verb}", verb=one_line(one.code, 40))
    known = WHAT.get(one.code)
    return words.say(known) if known else one_line(one.code, 40)


def sentence(words: Words, one: Happening) -> str:
    """Who did what, for a row."""
    return words.say("{who}: {what}", who=who(words, one), what=what(words, one))


def about(words: Words, one: Happening, *, hidden: bool = False) -> str:
    """The records it was about: by name where there is one, else by number."""
    if not one.count and one.store_path:
        return one_line(one.store_path, 120)  # of a whole store
    names = [] if hidden else [shown for each in one.about if (shown := name(each))]
    count = words.many("{n} record", "{n} records", one.count) if one.count else ""
    if one.count == 1 and names:
        return names[0]
    if one.count == 1 and one.about and not hidden and one.who is not Who.PROGRAM:
        return words.say("a record that is not there any more")
    if not names:
        return count
    listed = " · ".join(names[:_NAMED])
    if one.count > _NAMED:
        return words.say("{count}: {names} …", count=count, names=listed)
    return words.say("{count}: {names}", count=count, names=listed)


def name(one: About) -> str:
    """A record's title with dots for its secrets; empty when it is gone."""
    return one_line(masked(one.title), 80) if one.title else ""


def day_of(words: Words, day: date | None, today: date) -> str:
    """The heading of a day."""
    if day is None:
        return words.say("Time not known")
    if day == today:
        return words.say("Today")
    if day == today - timedelta(days=1):
        return words.say("Yesterday")
    return format_date(day, "full", locale=words.locale)


def clock(words: Words, moment: datetime | None) -> str:
    """The time of day on this computer's clock."""
    return format_time(moment.astimezone(), "short", locale=words.locale) if moment else ""
