# SPDX-License-Identifier: MIT
"""Looking for people: where, in which records and passages, and what is shown of a find."""
