# SPDX-License-Identifier: MIT
"""LangGraph's checkpoints (SqliteSaver): threads, and the messages and state in them."""
