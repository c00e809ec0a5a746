# SPDX-License-Identifier: MIT
"""The terminal front door, ``memory-cli``: one small module per family of verbs."""
