# SPDX-License-Identifier: MIT
"""Common ground of stores that are text files: reading, ids, writing anew, what an erase takes."""
