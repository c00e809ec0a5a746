# SPDX-License-Identifier: MIT
"""Ctrl+K: every act, view, store and setting by a few letters, in both languages at once."""
