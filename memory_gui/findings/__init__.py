# SPDX-License-Identifier: MIT
"""Detectors, duplicates and health of a store. Nothing here yet."""
