# SPDX-License-Identifier: MIT
"""The window's own parts: sidebar, search, list, detail, editor, start page."""
