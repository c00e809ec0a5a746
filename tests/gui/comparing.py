# SPDX-License-Identifier: MIT
"""Pictures as they are kept and compared: half the size, 32 steps a colour, PNG with a palette.

Small differences in how letters are smoothed vanish in that; a moved, missing or discoloured part
does not.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

Levels = np.ndarray
"""Height x width x 3, each 0 to 31."""

STEPS = 32
NOTICED = 4
"""Steps by which a pixel's colour must differ to count."""
ALLOWED = 0.0008
"""The share of pixels that may differ: less than a word of text."""


def reduced(image: QImage) -> Levels:
    """A picture as it is compared."""
    half = image.scaled(
        image.width() // 2,
        image.height() // 2,
        Qt.AspectRatioMode.IgnoreAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    ).convertToFormat(QImage.Format.Format_RGB888)
    return _pixels(half, 3) // (256 // STEPS)


def save(levels: Levels, path: Path) -> None:
    """Keep it. At most 256 colours; of more the rarest become their nearest neighbours."""
    red, green, blue = (levels[..., channel].astype(np.int32) for channel in range(3))
    codes = ((red * STEPS + green) * STEPS + blue).reshape(-1)
    counts = np.bincount(codes, minlength=STEPS**3)
    there = np.flatnonzero(counts)
    colours = np.stack([there // STEPS**2, there // STEPS % STEPS, there % STEPS], axis=1)
    places = np.zeros(STEPS**3, dtype=np.int64)
    places[there] = np.arange(len(there))
    inverse = places[codes]
    if len(colours) > 256:
        kept = np.sort(np.argsort(-counts[there])[:256])
        distance = ((colours[:, None, :] - colours[kept][None, :, :]) ** 2).sum(axis=2)
        inverse, colours = distance.argmin(axis=1)[inverse], colours[kept]
    height, width = levels.shape[:2]
    indexed = QImage(width, height, QImage.Format.Format_Indexed8)
    shown = colours * 255 // (STEPS - 1)
    indexed.setColorTable(
        [0xFF000000 | (int(r) << 16) | (int(g) << 8) | int(b) for r, g, b in shown]
    )
    rows = inverse.reshape(height, width).astype(np.uint8)
    view = np.frombuffer(indexed.bits(), dtype=np.uint8).reshape(height, indexed.bytesPerLine())
    view[:, :width] = rows
    path.parent.mkdir(parents=True, exist_ok=True)
    assert indexed.save(str(path), "PNG", 0), path  # type: ignore[call-overload]  # quality 0: smallest


def load(path: Path) -> Levels:
    """What was kept."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    return (_pixels(image, 3).astype(np.int32) * (STEPS - 1) + 127) // 255


def differing(one: Levels, other: Levels) -> np.ndarray:
    """Height x width: whether a pixel differs so that it counts."""
    apart = np.abs(one.astype(np.int32) - other.astype(np.int32)).max(axis=2)
    return np.asarray(apart >= NOTICED)


def save_difference(before: Levels, now: Levels, path: Path) -> None:
    """Both and what differs, in red, one above the other."""
    differs = differing(before, now)
    marked = (now.astype(np.int32) + 2 * (STEPS - 1)) // 3
    marked[differs] = (STEPS - 1, 0, 0)
    save(np.concatenate([before, now, marked], axis=0), path)


def _pixels(image: QImage, channels: int) -> np.ndarray:
    flat = np.frombuffer(image.constBits(), dtype=np.uint8)
    lines = flat.reshape(image.height(), image.bytesPerLine())
    return (
        lines[:, : image.width() * channels].reshape(image.height(), image.width(), channels).copy()
    )
