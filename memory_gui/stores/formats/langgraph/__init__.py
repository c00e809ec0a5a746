# SPDX-License-Identifier: MIT
"""LangGraph's store and its checkpoints in one file."""
