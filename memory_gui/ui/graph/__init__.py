# SPDX-License-Identifier: MIT
"""What a record is related to, drawn and walked through; for any format that declares relations."""
