# SPDX-License-Identifier: MIT
"""Mem0: a history database, and the vector store in which its memories are."""
