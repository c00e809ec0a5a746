# SPDX-License-Identifier: MIT
"""Home: every store a person let the app see, and what is wrong with any of them."""
