# SPDX-License-Identifier: MIT
"""One record: read beside the list, or being edited."""
