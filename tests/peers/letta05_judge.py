# SPDX-License-Identifier: MIT
"""Letta 0.5's own ORM and memory over a database, without a server, in its own process.

One JSON object per line in and out: ``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
``letta/__init__.py`` would load its clients and their models: the package is entered below it. Of
what is imported then, one package has no wheel and reads no database: that is a stub.
"""

# ruff: noqa: E402 - the stub and the package come before what asks for them

import importlib.util
import os
import sys
import types

OUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # Letta logs to its standard output

sys.modules["demjson3"] = types.ModuleType("demjson3")
letta = types.ModuleType("letta")
letta.__path__ = list(importlib.util.find_spec("letta").submodule_search_locations)
letta.__version__ = "0.5.5"
sys.modules["letta"] = letta

import letta.orm.agents_tags
import letta.orm.file
from letta.agent_store.db import MessageModel, PassageModel
from letta.metadata import AgentModel
from letta.orm.block import Block
from letta.schemas.memory import Memory
from sqlalchemy import create_engine, select
from sqlalchemy.orm import sessionmaker

sys.path.insert(0, os.path.dirname(__file__))  # -I leaves it out
from answering import serve


class Judge:
    """One database."""

    def __init__(self):
        self.engine = self.session = None

    def open(self, path):
        self.engine = create_engine(f"sqlite:///{path}")
        self.session = sessionmaker(self.engine)()

    def close(self):
        if self.session is not None:
            self.session.close()
            self.engine.dispose()
        self.engine = self.session = None

    def blocks(self):
        found = self.session.scalars(select(Block).order_by(Block.id))
        return {one.id: one.value for one in found}

    def memories(self):
        """What each agent has in mind, block by block."""
        found = self.session.scalars(select(AgentModel).order_by(AgentModel.id))
        return {one.id: Memory.load(one.memory).to_flat_dict() for one in found}

    def agents(self):
        found = self.session.scalars(select(AgentModel))
        return {one.id: [one.name, one.system, one.message_ids] for one in found}

    def passages(self):
        found = self.session.scalars(select(PassageModel))
        return {one.id: [one.text, len(one.embedding)] for one in found}

    def messages(self):
        found = self.session.scalars(select(MessageModel))
        return {one.id: [one.role, one.text] for one in found}

    def remember(self, agent, label, value):
        """As its agent does when it changes a block of its own, and the prompt made of it."""
        row = self.session.get(AgentModel, agent)
        memory = Memory.load(row.memory)
        memory.update_block_value(label=label, value=value)
        row.memory = memory.to_dict()
        self.session.commit()
        memory.prompt_template = Memory().prompt_template
        return memory.compile()


serve(Judge(), OUT)
