# SPDX-License-Identifier: MIT
"""The list of records and the one beside it."""
