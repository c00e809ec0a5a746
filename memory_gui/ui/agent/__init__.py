# SPDX-License-Identifier: MIT
"""What the agent will be given of its memories."""
