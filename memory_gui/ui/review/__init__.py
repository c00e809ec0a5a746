# SPDX-License-Identifier: MIT
"""Proposals of agents, decided one at a time."""
