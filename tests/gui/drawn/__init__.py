# SPDX-License-Identifier: MIT
"""The window as it is drawn for the pictures that are kept."""
