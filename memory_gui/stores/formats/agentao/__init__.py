# SPDX-License-Identifier: MIT
"""Agentao: databases of 0.2.6 and newer, and the JSON file before them."""
