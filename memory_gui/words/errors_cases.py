# SPDX-License-Identifier: MIT
"""The words of errors about requests to be forgotten, and about records that must stay."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

CASES_ERRORS: dict[str, ErrorWords] = {
    "case.no_name": ErrorWords(
        N_("A case needs a name."), N_("Say whom it is about: a name, an e-mail address or an id.")
    ),
    "case.short_name": ErrorWords(
        N_("A name of fewer than {least} letters would be found everywhere."),
        N_("Give the full name, an e-mail address or an id."),
    ),
    "case.long_name": ErrorWords(
        N_("A name has at most {most} letters."), N_("Give each name by itself.")
    ),
    "case.many_names": ErrorWords(
        N_("One person has at most {most} names here."), N_("Leave some out.")
    ),
    "case.no_ledger": ErrorWords(
        N_("A case cannot be kept here: there is no keychain for it, or it did not open."),
        N_("Without a case, forget NAME works all the same; holds and restrictions do not."),
    ),
    "case.unknown": ErrorWords(N_("There is no case {number}."), N_("List the cases.")),
    "case.is_final": ErrorWords(
        N_("Case {number} is answered, and its clock stands."), N_("Make a new case.")
    ),
    "case.reduced": ErrorWords(
        N_("Case {number} holds no name any more."),
        N_(
            "A new request is a new case. Who came back is taken out by forget NAME: under this "
            "case, and its clock stands."
        ),
    ),
    "case.date": ErrorWords(
        N_("{date} cannot be right here."),
        N_("Give a day as YYYY-MM-DD: an end lies behind its beginning, by a year at most."),
    ),
    "case.future": ErrorWords(
        N_("{date} has not come yet."),
        N_("Give the day on which it came, or was done: today or before."),
    ),
    "case.past": ErrorWords(
        N_("{date} is not to come any more."),
        N_("Give a day that is still to come: it is kept until then."),
    ),
    "case.ground": ErrorWords(
        N_("“{ground}” is no ground of the list."),
        N_("Choose one of the list; “other” takes a text of its own."),
    ),
    "case.method": ErrorWords(
        N_("“{method}” is no way of the list to check who asks."), N_("Choose one of the list.")
    ),
    "case.state": ErrorWords(
        N_("A case cannot be set to “{state}” by hand."),
        N_("It runs, and is closed, by what is done."),
    ),
    "case.no_reason": ErrorWords(
        N_("This needs a reason."), N_("The person is told it. Choose or write one.")
    ),
    "case.extended": ErrorWords(
        N_("The time was extended before, until {date}."), N_("It can be extended once.")
    ),
    "case.too_late": ErrorWords(
        N_("The first time was over on {date}."),
        N_("An extension must be told within it. Answer as soon as you can, and say why so late."),
    ),
    "case.too_long": ErrorWords(
        N_("The time can be extended until {date} at most, and not shortened."),
        N_("Choose a day until then."),
    ),
    "case.no_item": ErrorWords(N_("The checklist has no item {index}."), N_("Show the case.")),
    "case.unknown_find": ErrorWords(
        N_("There is no find {number}."), N_("Look again: the numbers are those of one search.")
    ),
    "case.cannot": ErrorWords(
        N_("Find {number} cannot be decided so: {decision}."),
        N_("Its store, or its kind, does not allow that. Decide otherwise."),
    ),
    "case.hold_reason": ErrorWords(
        N_("A hold needs a reason of the list."),
        N_("Choose one; “other” needs a text beside it."),
    ),
    "case.keep_reason": ErrorWords(
        N_("What is surely about the person stays only for a reason of the list."),
        N_("Choose one; “other” needs a text beside it."),
    ),
    "case.undecided": ErrorWords(
        N_("Case {number} has finds that are surely about the person and undecided: {count}."),
        N_(
            "Erase them, put them on hold, or keep them with a reason. Or close it with these "
            "undecided: that is kept with the case, and told in the letter and the receipt."
        ),
    ),
    "case.no_redaction": ErrorWords(
        N_("{ref} has no name that can be taken out of its title, text or tags."),
        N_("Erase it, or keep it."),
    ),
    "case.not_typed": ErrorWords(
        N_("What was typed is not {word}."),
        N_("Nothing was changed. Type how many finds the plan is about."),
    ),
    "case.nothing": ErrorWords(
        N_("Nothing is chosen that is to be erased or changed."),
        N_("Choose what is to become of the finds, or close the case."),
    ),
    "case.running": ErrorWords(
        N_("Case {number} is not finished at: {paths}"),
        N_(
            "Run it again: it can be closed when everything is proved. Where only files beside "
            "the stores still repeat it, that can be accepted with a reason: “Accept what "
            "remains…”."
        ),
    ),
    "case.nothing_left": ErrorWords(
        N_("Case {number} has nothing that could be accepted."),
        N_("Run it again: what is not finished, or left in a database, cannot be accepted."),
    ),
    "case.somebody_else": ErrorWords(
        N_("These are not the names of case {number}."),
        N_(
            "It keeps none, only a mark of each. Give names, addresses or numbers that were given "
            "then; or make a new case."
        ),
    ),
    "case.not_seen": ErrorWords(
        N_("An earlier run has not finished here, and the store was not looked into now: {path}"),
        N_("Look again when it can be opened, then run the case again."),
    ),
    "case.stopped": ErrorWords(
        N_("You stopped it before this: {path}"), N_("Run the case again to go on.")
    ),
    "case.subjects": ErrorWords(
        N_("The list of people cannot be read: {why}"),
        N_(
            "A CSV file in UTF-8 with a head line that has a column “subject”; others are optional."
        ),
    ),
    "case.list_columns": ErrorWords(
        N_("The list of people has no column “subject”, or one that is not known."),
        N_("The first line names the columns: subject, and if wanted also, other, receipt."),
    ),
    "case.list_line": ErrorWords(
        N_(
            "Line {line} of the list of people has more cells than there are columns, or a quote "
            "is open."
        ),
        N_("Put several names of one cell in quotes, or part them by semicolons."),
    ),
    "case.list_empty": ErrorWords(
        N_("The list of people is empty."), N_("Each line below the first is one person.")
    ),
    "case.list_long": ErrorWords(
        N_("A list has at most {most} people."), N_("Cut it into several lists.")
    ),
    "case.no_such_subject": ErrorWords(
        N_("Nothing was found about that person."),
        N_("Other names, an e-mail address or a telephone number may find more."),
    ),
    "erase.on_hold": ErrorWords(
        N_("A case keeps what would be erased (records: {count}, case: {cases})."),
        N_("Nothing was changed. Lift the hold or the restriction in the case first."),
    ),
    "erase.holds_unseen": ErrorWords(
        N_("Some records may be on hold or restricted, and it cannot be read here which."),
        N_(
            "Nothing was changed. Run it in a terminal with the keychain, or allow scripts to use "
            "it: scripts_may_use_keychain = true in settings.toml in the app's folder."
        ),
    ),
    "record.on_hold": ErrorWords(
        N_("The record is under a hold of case {case}."), N_("Lift the hold in the case first.")
    ),
    "record.restricted": ErrorWords(
        N_("The record is restricted by case {case}: its agent must not see it."),
        N_("Lift the restriction in the case first."),
    ),
}
