# SPDX-License-Identifier: MIT
"""FactMemory: one table of facts about subjects, known by its columns."""
