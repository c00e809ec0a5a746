# SPDX-License-Identifier: MIT
"""“Forget someone”: the list of cases, a new one, and one case from the request to its receipt."""
