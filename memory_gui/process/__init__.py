# SPDX-License-Identifier: MIT
"""Child processes: the one way they are started, and the one way they speak."""
