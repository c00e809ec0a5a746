# SPDX-License-Identifier: MIT
"""Any SQLite database, read-only: its tables are kinds, its rows are records."""
