# SPDX-License-Identifier: MIT
"""One store: what it is, how well it is, and who can open it after a change of its key."""
