# SPDX-License-Identifier: MIT
"""Words of Letta's databases."""

from __future__ import annotations

from typing import Final

from memory_gui.words.catalogue import N_, NN_
from memory_gui.words.formats.shape import FormatWords, KindWords

_IN_PROMPTS: Final = KindWords(
    N_("copy in an agent's prompt"),
    N_("copies in agents' prompts"),
    NN_("{n} copy in an agent's prompt", "{n} copies in agents' prompts"),
)
_OF_SERVER: Final = KindWords(
    N_("copy that Letta's server keeps"),
    N_("copies that Letta's server keeps"),
    NN_("{n} copy that Letta's server keeps", "{n} copies that Letta's server keeps"),
)
WORDS: Final = FormatWords(
    name="letta",
    title=N_("Letta"),
    kinds={
        "block": KindWords(N_("block"), N_("blocks"), NN_("{n} block", "{n} blocks")),
        "passage": KindWords(N_("passage"), N_("passages"), NN_("{n} passage", "{n} passages")),
        "agent_block": KindWords(
            N_("block of an agent"),
            N_("blocks of agents"),
            NN_("{n} block of an agent", "{n} blocks of agents"),
        ),
        "identity": KindWords(
            N_("identity"), N_("identities"), NN_("{n} identity", "{n} identities")
        ),
        "server": KindWords(
            N_("entry of Letta's server"),
            N_("entries of Letta's server"),
            NN_("{n} entry of Letta's server", "{n} entries of Letta's server"),
        ),
        "trace": KindWords(
            N_("request with its answer"),
            N_("requests with their answers"),
            NN_("{n} request with its answer", "{n} requests with their answers"),
        ),
        "past": KindWords(
            N_("earlier version"),
            N_("earlier versions"),
            NN_("{n} earlier version", "{n} earlier versions"),
        ),
        # Places in rows that stay.
        "agents.memory": KindWords(
            N_("text in an agent's memory"),
            N_("texts in agents' memory"),
            NN_("{n} text in an agent's memory", "{n} texts in agents' memory"),
        ),
        "agents.system": _IN_PROMPTS,
        "messages.content": _IN_PROMPTS,
        "messages.text": _IN_PROMPTS,
        "agents.message_ids": KindWords(
            N_("list of what an agent has in mind"),
            N_("lists of what agents have in mind"),
            NN_("{n} list of what an agent has in mind", "{n} lists of what agents have in mind"),
        ),
        **dict.fromkeys(
            (
                *("jobs.metadata_", "llm_batch_items.step_state", "steps.error_data"),
                *("llm_batch_items.batch_request_result", "file_contents.text"),
                "files_agents.visible_content",
            ),
            _OF_SERVER,
        ),
        "block.current_history_entry_id": KindWords(
            N_("pointer to an earlier version"),
            N_("pointers to earlier versions"),
            NN_("{n} pointer to an earlier version", "{n} pointers to earlier versions"),
        ),
    },
    fields={
        "limit": N_("Most characters"),
        "version": N_("Version"),
        "step_id": N_("Step"),
        "label": N_("Block"),
        "archive_id": N_("Archive"),
        "identifier_key": N_("Known by"),
        "table": N_("Table"),
    },
    reasons={
        "letta.by_server": N_("New ones are made in Letta, which ties them to its agents."),
        "letta.no_restore": N_("Letta has taken it from its agents, and only Letta can add it."),
        "letta.in_letta": N_("It belongs to Letta's users. Change it in Letta."),
        "letta.of_server": N_(
            "Letta needs this entry for its own work: its agents, users, files and jobs hang on "
            "it. Change or remove it in Letta."
        ),
        "letta.erase_instead": N_(
            "What Letta deletes leaves its text in the file. Erase it here: then every copy goes."
        ),
        "letta.needs_vector": N_(
            "Letta finds a passage by a vector made of its words. Only your model can make one, so "
            "another text would never be found again."
        ),
        "letta.as_said": N_("It is kept as it was said."),
        "letta.no_tags": N_("Letta's own server sets these tags."),
        "letta.no_review": N_("Letta saves at once; nothing waits for a decision."),
    },
    told={
        "letta.server": N_(
            "A Letta server that is running keeps agents in mind: end it before you change "
            "anything, and it reads the change when it starts."
        ),
        "letta.left": N_("Deleted by Letta, and still here: {n}. Erase them to be rid of them."),
        "letta.vector": N_(
            "Letta finds a passage by a vector made of its words. Only your model can make one, so "
            "another text would never be found again."
        ),
        "letta.deleted": N_("Deleted by Letta, and still here."),
        "letta.earlier": N_("What it said before is kept as well, and goes with it."),
    },
)
