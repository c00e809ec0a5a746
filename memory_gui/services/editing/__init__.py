# SPDX-License-Identifier: MIT
"""Changing records."""
