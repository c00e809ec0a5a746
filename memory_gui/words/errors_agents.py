# SPDX-License-Identifier: MIT
"""The words of errors around agents that live in an encrypted store."""

from __future__ import annotations

from memory_gui.words.catalogue import N_
from memory_gui.words.error import ErrorWords

AGENTS_ERRORS: dict[str, ErrorWords] = {
    "agents.other_library": ErrorWords(
        N_("This program has the store open through another SQLite library: {path}"),
        N_(
            "Two libraries in one program lose rows of the store without a word, so it was not"
            " opened. Close the other connection first. Loaded: {libraries}."
        ),
    ),
    "agents.unknown_agentao": ErrorWords(
        N_("Agentao {version} keeps its memories in a way that is not known here."),
        N_("Nothing was opened. Known are the versions 0.5.12 to 0.5.17."),
    ),
    "agent.unknown": ErrorWords(
        N_("No agent of this name can be started over encrypted stores: {name}"),
        N_("Known: {known}."),
    ),
    "agent.not_found": ErrorWords(
        N_("No Agentao was found: there is no program “agentao” in the search path."),
        N_("Install it, or name its Python: memory-cli agent --python PYTHON agentao"),
    ),
    "agent.no_python": ErrorWords(
        N_("The Python of Agentao cannot be told, or does not start: {python}"),
        N_("Name it: memory-cli agent --python PYTHON agentao"),
    ),
    "agent.old_python": ErrorWords(
        N_("Agentao’s Python is {found}, and Python 3.11 or newer is needed: {python}"),
        N_("Install Agentao in an environment with a newer Python."),
    ),
    "agent.not_there": ErrorWords(
        N_("Agentao, or the command line that goes with it, is not installed in: {python}"),
        N_('Install it there: "{python}" -m pip install "agentao[cli]"'),
    ),
    "agent.no_library": ErrorWords(
        N_("Agentao’s Python cannot open encrypted stores yet: {python}"),
        N_('Add what it needs: "{python}" -m pip install "sqlcipher3>=0.6.4" "Babel>=2.17"'),
    ),
    "agent.bundle": ErrorWords(
        N_("This packaged program cannot lend its parts to Agentao’s Python."),
        N_('Install them there: "{python}" -m pip install memory-gui'),
    ),
    "agent.cannot": ErrorWords(
        N_("“agentao {what}” opens its stores itself and cannot be given the encrypted ones."),
        N_(
            "It would find them unreadable and lose what it saves. Not started. Only the"
            " conversation in the terminal can be: memory-cli agent agentao"
        ),
    ),
    "agent.elsewhere": ErrorWords(
        N_("“agentao {what}” needs no memories."),
        N_("Call it as it is: agentao {what}"),
    ),
    "agent.raw_key": ErrorWords(
        N_("The store is opened by a passphrase, and an agent can be given a raw key only: {path}"),
        N_("Switch the store to a key of its own first: memory-cli key rotate"),
    ),
    "agent.arguments": ErrorWords(
        N_("Agentao does not know these arguments: {what}"),
        N_("What it takes: --resume [SESSION], --plugin-dir DIR."),
    ),
    "rules.nowhere": ErrorWords(
        N_("Rules cannot be kept here: there is no keychain for them, or it did not open."),
        N_("Decide one by one, or several at once."),
    ),
    "rules.pattern": ErrorWords(
        N_("This pattern cannot be used."),
        N_(
            "It needs at least {least} letters besides *, at most {most} characters and at most"
            " {stars} stars."
        ),
    ),
    "rules.seen": ErrorWords(
        N_("A rule waits until something was seen {least} to {most} times."),
        N_("Give a number between them."),
    ),
    "rules.unknown": ErrorWords(
        N_("There is no such rule, or more than one begins so: {rule}"),
        N_("The list of rules names each."),
    ),
    "rules.decision": ErrorWords(
        N_("No rule made such a decision, or it was taken back: {number}"),
        N_("The list of what rules decided names each."),
    ),
    "rules.gone": ErrorWords(
        N_("The proposal is gone: {ref}"),
        N_("There is nothing to take back."),
    ),
    "rules.memory_changed": ErrorWords(
        N_("The memory that was saved by this decision was changed since: {memory}"),
        N_("Nothing was taken back. Decide about the memory itself."),
    ),
    "propose.no_text": ErrorWords(
        N_("A proposal without a text says nothing."), N_("Give it a text.")
    ),
    "propose.nowhere": ErrorWords(
        N_("There is no place for proposals: the program's own file cannot be opened."),
        N_(
            "It needs a keychain that is unlocked and, in a script, your permission to use it."
            " Nothing was kept."
        ),
    ),
}
