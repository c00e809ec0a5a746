# SPDX-License-Identifier: MIT
"""Notes in text files: ``project.md``, ``user.md`` and the folder ``sessions`` of agent-harness."""
