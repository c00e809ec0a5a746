# SPDX-License-Identifier: MIT
"""Narrowing the list by what its records have: values with counts, and what was chosen."""
