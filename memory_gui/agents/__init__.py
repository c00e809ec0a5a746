# SPDX-License-Identifier: MIT
"""What an agent imports to live in an encrypted store. Nothing here yet; knows no Qt."""
