# SPDX-License-Identifier: MIT
"""What was erased: receipts, and noticing when it comes back."""
