# SPDX-License-Identifier: MIT
"""The memory graph of the MCP reference server: ``memory.jsonl``."""
