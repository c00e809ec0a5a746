# SPDX-License-Identifier: MIT
"""Letting go of everything at once; what was being typed is sealed before."""
