# SPDX-License-Identifier: MIT
"""What secrets look like: one line per shape.

The first block is the floor that Agentao 0.5.17 refuses to save (``stores.guard``);
the others are the issuers' own published formats. ``hints`` are looked for first, in lower case: a
text without any of them is not searched. A shape with a group hides that group alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memory_gui.findings import checksums


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape.

    ``check`` proves a match. One that fails it is only likely; with ``must`` it is none at all.
    """

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    certain: bool = True
    check: Callable[[str], bool] | None = None
    must: bool = False


def _shape(
    kind: str,
    hints: str,
    pattern: str,
    *,
    certain: bool = True,
    check: Callable[[str], bool] | None = None,
    must: bool = False,
) -> Shape:
    return Shape(kind, tuple(hints.split(" ")), re.compile(pattern), certain, check, must)


_BLOCK_END: Final = (
    r"(?:(?:(?!-----BEGIN )[\s\S]){0,20000}?-----END [A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----"
    r"|(?:[A-Za-z][A-Za-z0-9-]{0,30}:[^\r\n\\]*|[A-Za-z0-9+/=]+|\s|\\[rn])*)"
)
"""Up to the end of the key, or of what still looks like one where the text was cut off."""
_NAMES: Final = (
    r"pass(?:word|wd|phrase|code)|pwd|secret(?:[_-]?(?:access)?[_-]?key)?|token|credentials?"
    r"|(?:api|access|private|account|auth|encryption|signing|master|shared)[ _-]?key"
    r"|密码|口令|密钥|令牌|私钥"
)

SHAPES: Final[tuple[Shape, ...]] = (
    # ---- the floor
    _shape(
        "private_key",
        "-----begin",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----" + _BLOCK_END,
    ),
    _shape(
        "private_key",
        "-----begin",
        r"-----BEGIN [A-Z ]{1,40}KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S])+?"
        r"-----END [A-Z ]{1,40}KEY(?: BLOCK)?-----",
        certain=False,
    ),
    _shape("api_key", "sk-", r"\bsk-[A-Za-z0-9_\-]{20,}"),
    _shape("api_key", "aiza", r"\bAIza[0-9A-Za-z_\-]{35}\b"),
    _shape("client_secret", "gocspx-", r"\bGOCSPX-[A-Za-z0-9_\-]{20,}"),
    _shape("cloud_key", "akia asia", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    _shape(
        "access_token",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        r"\bgh[pousr]_[A-Za-z0-9]{36,}\b",
        check=checksums.crc_token,
    ),
    _shape("access_token", "github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{20,}"),
    _shape(
        "access_token",
        "xox xapp-",
        r"\b(?:xox[baprs]-[0-9A-Za-z\-]{10,}|xapp-\d-[A-Za-z0-9\-]{10,})",
    ),
    _shape("api_key", "k_live_ k_test_", r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}"),
    _shape("client_secret", "whsec_", r"\bwhsec_[A-Za-z0-9]{20,}"),
    _shape(
        "jwt",
        "eyj",
        r"\beyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}",
        check=checksums.jwt,
    ),
    _shape("access_token", "bearer", r"(?i)\bbearer\s+([A-Za-z0-9_\-\.=+/]{20,})", certain=False),
    _shape(
        "access_token",
        "authorization",
        r"(?i)\bauthorization[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token)\s+)?"
        r"([A-Za-z0-9_\-\.=+/]{20,})",
        certain=False,
    ),
    _shape(
        "access_token",
        'access_token refresh_token id_token code_verifier code= code"',
        r"(?i)(?:\b(?:access_token|refresh_token|id_token|code_verifier)[\"']?\s*[:=]\s*[\"']?"
        r"|(?<=[?&])code=|\"code\"\s*:\s*\")([^\s\"'&,}]{8,})",
        certain=False,
    ),
    _shape(
        "password",
        "key token secret password passwd",
        r"(?i)(?<![A-Za-z0-9_])(?:api[_-]?key|token|secret|password|passwd)"
        r"\s*[:=]\s*[\"']?([^\s\"']{8,})",
        certain=False,
    ),
    # ---- names and values as people and programs write them
    _shape(
        "password",
        "pass pwd secret token credential key 密码 口令 密钥 令牌 私钥",
        rf"(?i)(?:{_NAMES})[\"'`]?\s{{0,8}}(?:[:=：＝]|:=|=>)\s{{0,8}}[\"'`]?"
        r"((?=[^\s]{0,64}[0-9])[!#-&(-_a-~]{6,}(?<![.,;:)\]}>]))",
        certain=False,
    ),
    _shape(
        "password",
        "password passphrase passwd pwd",
        r"(?i)\b(?:password|passphrase|passwd|pwd)\s+(?:is|was)\s+[\"'`“]?"
        r"((?=[^\s]{0,64}[0-9])(?=[^\s]{0,64}[A-Za-z])[!#-&(-_a-~]{6,}(?<![.,;:)\]}>]))",
        certain=False,
    ),
    _shape(
        "password",
        "密码 口令 密钥 令牌",
        r"(?:密码|口令|密钥|令牌)\s{0,4}(?:是|为|就是|改成|改为|设为|设成)?\s{0,4}[:：]?\s{0,4}[“\"'`「]?"
        r"((?=[!-~]{0,64}[A-Za-z0-9])[!#-&(-_a-~]{6,}(?<![.,;:)\]}>]))",
        certain=False,
    ),
    _shape(
        "password", "://", r"\b[a-zA-Z][a-zA-Z0-9+.\-]{1,20}://[^\s:/@]{0,64}:([^\s:/@]{3,128})@"
    ),
    _shape(
        "password",
        "$2 $5$ $6$ $y$ $argon2",
        r"(\$(?:2[abxy]|5|6|y|argon2(?:id|i|d))\$[./A-Za-z0-9$=,+]{30,})",
    ),
    # ---- clouds
    _shape(
        "cloud_key",
        "accountkey= sharedaccesskey=",
        r"(?i)\b(?:shared)?(?:account|access)key=([A-Za-z0-9+/]{43,}={0,2})",
    ),
    _shape("cloud_key", "sig=", r"[?&]sig=([A-Za-z0-9%+/]{40,}(?:%3[dD]|=)?)"),
    _shape("cloud_key", "akid", r"\bAKID[A-Za-z0-9]{32}\b"),
    _shape("cloud_key", "ltai", r"\bLTAI[A-Za-z0-9]{12,24}\b"),
    _shape("cloud_key", "aklt", r"\bAKLT[A-Za-z0-9_\-]{16,100}"),
    _shape("cloud_key", "ya29.", r"\bya29\.[A-Za-z0-9_\-]{20,}"),
    _shape("cloud_key", "dop_v1_ doo_v1_ dor_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    _shape("cloud_key", "dapi", r"\bdapi[0-9a-f]{32}\b"),
    _shape("cloud_key", "hvs. hvb.", r"\bhv[sb]\.[A-Za-z0-9_\-]{24,}"),
    # ---- models and their hubs
    _shape("api_key", "hf_", r"\bhf_[A-Za-z0-9]{34}\b"),
    _shape("api_key", "gsk_", r"\bgsk_[A-Za-z0-9]{40,}\b"),
    _shape("api_key", "xai-", r"\bxai-[A-Za-z0-9]{40,}\b"),
    _shape("api_key", "pplx-", r"\bpplx-[A-Za-z0-9]{40,}\b"),
    _shape("api_key", "r8_", r"\br8_[A-Za-z0-9]{37}\b"),
    # ---- code, chat, mail, shops
    _shape("access_token", "glpat- gldt- glrt-", r"\bgl(?:pat|dt|rt)-[A-Za-z0-9_\-]{20,}"),
    _shape("access_token", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b", check=checksums.crc_token),
    _shape("access_token", "pypi-", r"\bpypi-AgE[A-Za-z0-9_\-]{40,}"),
    _shape("api_key", "sg.", r"\bSG\.[A-Za-z0-9_\-]{22}\.[A-Za-z0-9_\-]{43}"),
    _shape("api_key", "key-", r"\bkey-[0-9a-f]{32}\b", certain=False),
    _shape("api_key", "sk", r"\bSK[0-9a-f]{32}\b"),
    _shape("access_token", ":aa", r"\b\d{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])"),
    _shape(
        "access_token",
        ".",
        r"\b[MNO][A-Za-z0-9_\-]{23,25}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,40}",
        certain=False,
    ),
    _shape("access_token", "shp", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    _shape("access_token", "sq0", r"\bsq0(?:atp|csp)-[A-Za-z0-9_\-]{22,}"),
    _shape(
        "access_token",
        "lin_api_ ntn_ figd_ sntrys_ glsa_",
        r"\b(?:lin_api_|ntn_|figd_|sntrys_|glsa_)[A-Za-z0-9_\-=+/]{30,}",
    ),
    _shape(
        "webhook",
        "hooks.slack.com",
        r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_\-]{20,})",
    ),
    _shape(
        "webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/(\d{15,20}/[A-Za-z0-9_\-]{40,})",
    ),
    _shape(
        "webhook",
        "/hook/ webhook/send",
        r"(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/([0-9a-f\-]{36})"
        r"|(?<=webhook/send\?key=)[0-9a-f\-]{36}",
    ),
    # ---- keys that carry a check of their own
    _shape(
        "private_key",
        "age-secret-key-1",
        r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b",
        check=checksums.bech32,
    ),
    _shape(
        "private_key",
        "5 k l",
        r"\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b",
        check=checksums.base58,
        must=True,
    ),
    _shape(
        "private_key",
        "prv",
        r"\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{107,108}\b",
        check=checksums.base58,
        must=True,
    ),
    _shape(
        "private_key", "private-lines:", r"(?i)\bPrivate-Lines:\s*\d+\s+((?:[A-Za-z0-9+/=]+\s*)+)"
    ),
)
