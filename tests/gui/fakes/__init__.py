# SPDX-License-Identifier: MIT
"""Services without files, part by part."""
