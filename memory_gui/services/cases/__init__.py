# SPDX-License-Identifier: MIT
"""Cases of "forget me", over every store on this computer."""
