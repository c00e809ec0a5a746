# SPDX-License-Identifier: MIT
"""Two records that want one key: seen side by side, and what becomes of them."""
