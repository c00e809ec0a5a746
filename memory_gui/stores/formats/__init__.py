# SPDX-License-Identifier: MIT
"""One folder per format."""
