# SPDX-License-Identifier: MIT
"""What is kept of a case: the request, what a person decided, what must stay."""
