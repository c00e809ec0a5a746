# SPDX-License-Identifier: MIT
"""Where the data files are: in a wheel inside the package, in a checkout beside it."""

from __future__ import annotations

from pathlib import Path


def resource(path: str) -> Path:
    """A data file by its path below ``resources/``."""
    package = Path(__file__).parent
    inside = package / "_resources"
    root = inside if inside.is_dir() else package.parent / "resources"
    return root.joinpath(*path.split("/"))


def resource_files(folder: str, suffix: str) -> list[Path]:
    """The data files of a folder that end with ``suffix``, by name."""
    where = resource(folder)
    if not where.is_dir():
        return []
    return sorted((f for f in where.iterdir() if f.name.endswith(suffix)), key=lambda f: f.name)
