# SPDX-License-Identifier: MIT
"""The list: what is found, how a row looks, where a person is in it."""
