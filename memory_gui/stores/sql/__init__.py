# SPDX-License-Identifier: MIT
"""What formats in SQL share: cells, tables, a store of one table, finding text again."""
