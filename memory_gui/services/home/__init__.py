# SPDX-License-Identifier: MIT
"""What there is on this computer, as far as a person has let the app see it."""
