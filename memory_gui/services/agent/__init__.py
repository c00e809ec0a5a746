# SPDX-License-Identifier: MIT
"""What an agent is given of its memories, and what it is started with."""
