# SPDX-License-Identifier: MIT
"""The stores of agents: the contract, the registry and one adapter per format."""
