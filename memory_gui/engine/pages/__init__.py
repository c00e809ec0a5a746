# SPDX-License-Identifier: MIT
"""SQLite and SQLCipher files as bytes: pages, cells, logs. No connection, no writing."""
