# SPDX-License-Identifier: MIT
"""See, correct and erase what AI agents remember about people, with proof."""

import os

__version__ = "0.1.0"

# numpy's linear algebra reads it when it is loaded. Nothing here multiplies matrices that are
# worth several threads, and those that wait for it in a loop make the reading of a store longer.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
