# SPDX-License-Identifier: MIT
"""Make the contract and the fake store importable: with importlib mode nothing is by itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
pytest.register_assert_rewrite("store_contract")
