# SPDX-License-Identifier: MIT
"""Finding the stores on a computer: well-known places as data, and folders that a person names."""
