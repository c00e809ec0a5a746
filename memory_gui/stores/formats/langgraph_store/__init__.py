# SPDX-License-Identifier: MIT
"""LangGraph's store (SqliteStore): JSON values under namespaces, with vectors beside them."""
