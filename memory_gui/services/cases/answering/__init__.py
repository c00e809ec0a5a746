# SPDX-License-Identifier: MIT
"""The answer of a case: its report and receipt, closing it, and who is named again later."""
