# SPDX-License-Identifier: MIT
"""Plan, run, prove, receipt: taking text out of a database and showing that it is gone."""
