# SPDX-License-Identifier: MIT
"""Letta's own ORM over a database, without a server, in its own environment and process.

One JSON object per line in and out: ``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
Of what Letta imports and the ORM does not use, three packages have no wheels: those are stubs.
"""

# ruff: noqa: E402 - the stubs come before what asks for them

import importlib.abc
import importlib.machinery
import os
import sys
import types

OUT = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)  # Letta logs to its standard output

STUBS = ("composio", "demjson3", "sqlite_vec", "pysher")


class Base(Exception):
    """What may be inherited from, with any options."""

    def __init_subclass__(cls, **_):
        pass


class Stub(types.ModuleType):
    """Has every name, and nothing behind it."""

    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Base,), {})


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the stubs."""

    def find_spec(self, name, _path=None, _target=None):
        if name.split(".")[0] in STUBS:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Stub(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, Stubs())

import letta.orm  # noqa: F401 - all of its classes
from letta.orm.agent import Agent
from letta.orm.block import Block
from letta.orm.block_history import BlockHistory
from letta.orm.message import Message
from letta.orm.passage import ArchivalPassage
from sqlalchemy import create_engine, event, select
from sqlalchemy.orm import sessionmaker

sys.path.insert(0, os.path.dirname(__file__))  # -I leaves it out
from answering import serve


class Judge:
    """One database."""

    def __init__(self):
        self.engine = self.session = None

    def open(self, path):
        self.engine = create_engine(f"sqlite:///{path}")
        event.listen(self.engine, "connect", lambda one, _: one.execute("PRAGMA foreign_keys=ON"))
        self.session = sessionmaker(self.engine)()

    def close(self):
        if self.session is not None:
            self.session.close()
            self.engine.dispose()
        self.engine = self.session = None

    def blocks(self):
        found = self.session.scalars(select(Block).order_by(Block.id))
        return {one.id: [one.label, one.value, one.version, one.limit] for one in found}

    def history(self):
        return {one.id: one.value for one in self.session.scalars(select(BlockHistory))}

    def passages(self):
        return {one.id: one.text for one in self.session.scalars(select(ArchivalPassage))}

    def messages(self):
        found = self.session.scalars(select(Message))
        return {one.id: [part.text for part in one.content or ()] for one in found}

    def agents(self):
        return {one.id: one.message_ids for one in self.session.scalars(select(Agent))}

    def edit(self, name, value):
        """Through the ORM: its optimistic lock must accept what we wrote."""
        block = self.session.get(Block, name)
        block.value = value
        self.session.commit()
        return block.version

    def stale(self, name, value):
        """An edit that was begun before somebody else's."""
        block = self.session.get(Block, name)
        yielded = block.version
        block.value = value
        return yielded

    def commit(self):
        self.session.commit()

    def broken(self):
        """Rows that refer to what is not there."""
        with self.engine.connect() as one:
            return [list(row) for row in one.exec_driver_sql("PRAGMA foreign_key_check")]


serve(Judge(), OUT)
