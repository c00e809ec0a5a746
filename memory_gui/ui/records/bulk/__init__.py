# SPDX-License-Identifier: MIT
"""Acts on the chosen records."""
