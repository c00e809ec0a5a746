# SPDX-License-Identifier: MIT
"""“Forget me” requests with their clock, finds and receipts."""
