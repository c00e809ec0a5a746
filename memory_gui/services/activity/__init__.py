# SPDX-License-Identifier: MIT
"""Who changed what and when."""
