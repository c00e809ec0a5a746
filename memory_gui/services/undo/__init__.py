# SPDX-License-Identifier: MIT
"""What was done and how it is taken back, and where that is kept. Knows no store."""
