# SPDX-License-Identifier: MIT
"""The JSON file in which agentao 0.2.5 and older kept memories: looked at, erased, converted."""
