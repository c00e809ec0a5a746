# SPDX-License-Identifier: MIT
"""Letta (MemGPT) before it became Letta Code: blocks, passages and talks in one SQLite database."""
