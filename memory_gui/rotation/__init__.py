# SPDX-License-Identifier: MIT
"""Turning encryption on and off: a proved copy beside the store, swapped in, the old one zeroed."""
