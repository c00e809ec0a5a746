# SPDX-License-Identifier: MIT
"""The plan of a case and its run: store after store, and what runs have left."""
