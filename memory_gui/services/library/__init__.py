# SPDX-License-Identifier: MIT
"""The open stores: opening and closing them, what is in them, searching it."""
