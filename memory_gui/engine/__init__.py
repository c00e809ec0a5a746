# SPDX-License-Identifier: MIT
"""The one place that opens SQLite: evidence, keys, pragmas, authorizer, errors, raw file access."""
