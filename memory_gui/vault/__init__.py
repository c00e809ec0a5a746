# SPDX-License-Identifier: MIT
"""Keys in the system's keychain, through a helper process. Knows no database."""
