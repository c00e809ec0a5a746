# SPDX-License-Identifier: MIT
"""The tutorial app's "persistent memory": ``state/memory.sqlite3``, one strict table."""
