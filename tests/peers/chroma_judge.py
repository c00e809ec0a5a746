# SPDX-License-Identifier: MIT
"""Chroma itself, in its own environment and process.

One JSON object per line in and out: ``{"do": name, …}`` -> ``{"answer": …}`` or ``{"error": …}``.
"""

import os
import random
import sys

import chromadb
from chromadb.api.shared_system_client import SharedSystemClient
from chromadb.config import Settings

sys.path.insert(0, os.path.dirname(__file__))  # -I leaves it out
from answering import serve

DIMS = 8


def embed(text):
    """A vector for each text, the same for the same text."""
    chance = random.Random(text)
    return [chance.uniform(-1, 1) for _ in range(DIMS)]


class Judge:
    """One folder of Chroma's, opened as Mem0 does."""

    def __init__(self):
        self.client = self.collection = None

    def open(self, path, collection, threshold):
        self.close()
        settings = Settings(anonymized_telemetry=False, is_persistent=True, persist_directory=path)
        self.client = chromadb.Client(settings)
        hnsw = {"sync_threshold": threshold, "batch_size": max(2, threshold // 2)}
        self.collection = self.client.get_or_create_collection(
            collection, configuration={"hnsw": hnsw}, embedding_function=None
        )

    def close(self):
        if self.client is not None:
            self.client._system.stop()
            SharedSystemClient.clear_system_cache()
        self.client = self.collection = None

    def insert(self, items):
        names, payloads = zip(*items, strict=True)
        vectors = [embed(payload["data"]) for payload in payloads]
        self.collection.add(ids=list(names), embeddings=vectors, metadatas=list(payloads))

    def update(self, name, payload):
        self.collection.update(ids=[name], embeddings=[embed(payload["data"])], metadatas=[payload])

    def delete(self, name):
        self.collection.delete(ids=[name])

    def all(self):
        found = self.collection.get(include=["metadatas"])
        return dict(zip(found["ids"], found["metadatas"], strict=True))

    def nearest(self, text):
        return self.collection.query(query_embeddings=[embed(text)], n_results=3)["ids"][0]


def main():
    judge = Judge()
    out = sys.stdout
    sys.stdout = sys.stderr
    serve(judge, out)


main()
