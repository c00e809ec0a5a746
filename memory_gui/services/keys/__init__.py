# SPDX-License-Identifier: MIT
"""The keys of stores: kept, on paper, changed; turning encryption on and off."""
