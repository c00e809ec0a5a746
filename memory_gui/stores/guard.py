# SPDX-License-Identifier: MIT
"""The floor of the secret guard: whatever Agentao 0.5.17 refuses to save, we at least flag.

Agentao looks at the text only; we look at title, key and tags too. The verdicts are held against
Agentao's own package in ``tests/peers``. Nothing here ever returns what it matched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_SHAPES: Final[tuple[tuple[str, str], ...]] = (
    ("private_key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    # Any key block with its end in sight, a public one too.
    (
        "private_key",
        r"-----BEGIN [A-Z ]+KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S])+?"
        r"-----END [A-Z ]+KEY(?: BLOCK)?-----",
    ),
    # A PGP block that was cut off: header, perhaps armour lines, then base64.
    (
        "private_key",
        r"-----BEGIN [A-Z ]*PRIVATE KEY BLOCK-----[ \t]*(?:\r?\n|\\n)"
        r"(?:[A-Za-z][A-Za-z0-9-]*:[^\r\n\\]*(?:\r?\n|\\n))*(?:\s|\\n)*[A-Za-z0-9+/=]",
    ),
    ("anthropic", r"\bsk-ant-[A-Za-z0-9_\-]{20,}"),
    ("openai", r"\bsk-(?!ant-)(?:proj-)?[A-Za-z0-9_\-]{20,}"),
    ("google", r"\bAIza[0-9A-Za-z_\-]{35}\b"),
    ("google", r"\bGOCSPX-[A-Za-z0-9_\-]{20,}"),
    ("aws", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("github", r"\bgh[pousr]_[A-Za-z0-9]{36,}\b"),
    ("github", r"\bgithub_pat_[A-Za-z0-9_]{20,}"),
    ("slack", r"\bxox[baprs]-[0-9A-Za-z\-]{10,}\b"),
    ("slack", r"\bxapp-\d-[A-Za-z0-9\-]{10,}"),
    ("stripe", r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}"),
    ("stripe", r"\bwhsec_[A-Za-z0-9]{20,}"),
    ("jwt", r"\beyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\b"),
    ("bearer", r"(?i)\bbearer\s+[A-Za-z0-9_\-\.=+/]{20,}"),
    ("bearer", r"(?i)\bauthorization\s*[:=]\s*(?:bearer\s+)?[A-Za-z0-9_\-\.=+/]{20,}"),
    (
        "oauth",
        r"(?i)(?:\b(?:access_token|refresh_token|id_token|code_verifier)[\"']?\s*[:=]\s*[\"']?"
        r"|(?<=[?&])code=|\"code\"\s*:\s*\")[^\s\"'&,}]{8,}",
    ),
    (
        "named_secret",
        r"(?i)(?<![A-Za-z0-9_])(?:api[_-]?key|token|secret|password|passwd)"
        r"\s*[:=]\s*[\"']?[^\s\"']{8,}",
    ),
)
_COMPILED: Final = tuple((kind, re.compile(shape)) for kind, shape in _SHAPES)


def secret_kind(text: str) -> str | None:
    """The kind of the first secret in a text, or None."""
    return next((kind for kind, shape in _COMPILED if shape.search(text)), None)


def first_secret(texts: Iterable[str]) -> str | None:
    """The kind of the first secret in any of the texts, or None."""
    return next((kind for kind in map(secret_kind, texts) if kind), None)
