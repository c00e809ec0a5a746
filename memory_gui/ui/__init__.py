# SPDX-License-Identifier: MIT
"""The window: shows what services return, asks services to act. The only place with Qt."""
