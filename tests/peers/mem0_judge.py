# SPDX-License-Identifier: MIT
"""Mem0's own storage layer, without a model, in its own environment and process.

One JSON object per line in and out: ``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
"""

import os
import random
import sys

os.environ["MEM0_TELEMETRY"] = "False"

from mem0.memory.storage import SQLiteManager
from mem0.vector_stores.faiss import FAISS
from mem0.vector_stores.qdrant import Qdrant

sys.path.insert(0, os.path.dirname(__file__))  # -I leaves it out
from answering import serve

DIMS = 32


def embed(text):
    """A vector for each text, the same for the same text."""
    chance = random.Random(text)
    return [chance.uniform(-1, 1) for _ in range(DIMS)]


class Judge:
    """A vector store of one kind, and a history."""

    def __init__(self):
        self.vectors = self.history = None

    def open_qdrant(self, path, collection):
        self.close()
        self.vectors = Qdrant(collection, DIMS, path=path, on_disk=True)

    def open_faiss(self, path, collection):
        self.close()
        self.vectors = FAISS(collection, path=path, embedding_model_dims=DIMS)

    def open_history(self, path):
        self.history = SQLiteManager(path)

    def close(self):
        if isinstance(self.vectors, Qdrant):
            self.vectors.client.close()
        if self.history is not None:
            self.history.close()
        self.vectors = self.history = None

    def insert(self, items):
        """(id, payload) of each; the vector is made of its text."""
        names, payloads = zip(*items, strict=True)
        vectors = [embed(payload["data"]) for payload in payloads]
        self.vectors.insert(vectors, list(payloads), list(names))

    def update(self, name, payload):
        self.vectors.update(name, embed(payload["data"]), payload)

    def delete(self, name):
        self.vectors.delete(name)

    def all(self):
        """Id -> payload of every row."""
        found = self.vectors.list(top_k=10_000)
        rows = found[0] if found and isinstance(found[0], (list, tuple)) else found
        return {str(row.id): dict(row.payload) for row in rows}

    def nearest(self, text):
        """The ids that are nearest to a text, nearest first."""
        found = self.vectors.search(text, embed(text), top_k=3)
        return [str(row.id) for row in found]

    def remember(self, events):
        for event in events:
            self.history.add_history(**event)

    def past(self, name):
        return self.history.get_history(name)

    def say(self, messages, scope):
        self.history.save_messages(messages, scope)

    def talk(self, scope):
        return self.history.get_last_messages(scope, 10)


def main():
    judge = Judge()
    out = sys.stdout
    sys.stdout = sys.stderr
    serve(judge, out)


main()
