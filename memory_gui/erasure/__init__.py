# SPDX-License-Identifier: MIT
"""Plan, run, prove, receipt: taking text out of a database for good, and showing that it is gone."""
