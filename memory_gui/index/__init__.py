# SPDX-License-Identifier: MIT
"""The in-memory text index and the query language over it. Nothing here yet."""
