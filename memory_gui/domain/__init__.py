# SPDX-License-Identifier: MIT
"""Plain values and rules: records, queries, changes, errors. Imports nothing of the package."""
