# SPDX-License-Identifier: MIT
"""Who changed what and when: the page, and a record's own history."""
