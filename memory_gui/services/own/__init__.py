# SPDX-License-Identifier: MIT
"""Our own files and settings: what the app keeps for itself. Knows no open store."""
