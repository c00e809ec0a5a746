# SPDX-License-Identifier: MIT
"""``case`` and ``forget``: requests of persons, in the terminal."""
