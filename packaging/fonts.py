# SPDX-License-Identifier: MIT
"""Make ``resources/fonts`` again from the fonts of Debian's fonts-inter and fonts-noto-cjk.

Usage: ``python packaging/fonts.py [--check]``. The fonts are cut down to what the app shows: Inter
for Latin, Greek and Cyrillic; Noto Sans SC for the 3,755 common characters of GB 2312 level 1, its
punctuation, and every other character of our catalogues and the sample store. ``--check`` writes
nothing and ends 1 when a character of ours is missing from the fonts as they are. Two runs over the
same sources give the same bytes. Needs fontTools (``packaging/requirements/test.txt``).
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
FONTS = ROOT / "resources" / "fonts"
INTER = Path("/usr/share/fonts/opentype/inter")
NOTO = Path("/usr/share/fonts/opentype/noto")
SIMPLIFIED_CHINESE = 2  # its place in Noto's collection files
INTER_RANGES = (
    (0x0020, 0x007E), (0x00A0, 0x024F), (0x0259, 0x0259), (0x02B0, 0x036F), (0x0370, 0x04FF),
    (0x1E00, 0x1EFF), (0x2000, 0x206F), (0x2070, 0x209F), (0x20A0, 0x20BF), (0x2100, 0x214F),
    (0x2150, 0x218F), (0x2190, 0x21FF), (0x2200, 0x22FF), (0x2300, 0x23FF), (0x25A0, 0x25FF),
    (0x2600, 0x27BF), (0xFFFD, 0xFFFD),
)  # fmt: skip
# Brackets that neither font has, and the Chinese ones of the same shape that stand in for them.
STAND_INS = {0x27E6: 0x301A, 0x27E7: 0x301B, 0x27E8: 0x3008, 0x27E9: 0x3009}
INTER_FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "calt", "tnum", "pnum", "zero", "case"]
NOTO_FEATURES = ["locl", "ccmp", "kern", "palt", "halt"]


def our_texts() -> list[Path]:
    """Every file whose text the app can show by itself."""
    found = [*(ROOT / "resources" / "words").rglob("*.po"), *(ROOT / "memory_gui").rglob("*.py")]
    found += [f for f in (ROOT / "resources" / "sample").rglob("*") if f.is_file()]
    return sorted(found)


def our_characters() -> set[int]:
    """The code points of those files that a font must draw: no controls, no emoji."""
    seen = {c for file in our_texts() for c in file.read_text(encoding="utf-8")}
    return {
        ord(c) for c in seen if unicodedata.category(c) not in {"Cc", "Cf"} and ord(c) < 0x1F000
    }


def common_chinese() -> set[int]:
    """GB 2312 rows 1-9 (punctuation, signs, kana) and 16-55 (level 1 characters)."""
    wanted: set[int] = set()
    for row in (*range(1, 10), *range(16, 56)):
        for cell in range(1, 95):
            try:
                wanted.add(ord(bytes((0xA0 + row, 0xA0 + cell)).decode("gb2312")))
            except UnicodeDecodeError:
                continue
    return wanted


def covered(font: Path) -> set[int]:
    """The code points that a font file can draw."""
    with TTFont(font, lazy=True) as opened:
        return set(opened.getBestCmap())


def missing() -> set[int]:
    """Characters of ours that no shipped font of regular weight draws."""
    shown = {c for font in sorted(FONTS.glob("*-Regular.otf")) for c in covered(font)}
    return our_characters() - shown


def cut(font: TTFont, characters: set[int], features: list[str], out: Path) -> None:
    """Keep only these characters and features, and write the font."""
    options = Options()
    options.layout_features = features
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14, 16, 17]
    options.notdef_outline = True
    options.hinting = False
    options.desubroutinize = False
    options.drop_tables += ["DSIG", "vhea", "vmtx", "VORG", "BASE", "meta"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    font.recalcTimestamp = False
    subsetter.subset(font)
    font.save(out)
    sys.stdout.write(f"{out.relative_to(ROOT)} {out.stat().st_size:,} bytes\n")


def rename(font: TTFont, weight: str) -> None:
    """Give the subset its own family name: a full Noto on the system is not mixed with it."""
    for record in font["name"].names:
        text = str(record).replace("Noto Sans CJK SC", "Noto Sans SC")
        record.string = text.replace("NotoSansCJKsc", "NotoSansSC")
    cff = font["CFF "].cff
    cff.fontNames = [f"NotoSansSC-{weight}"]
    cff.topDictIndex[0].FullName = f"Noto Sans SC {weight}"
    cff.topDictIndex[0].FamilyName = "Noto Sans SC"


def stand_in(font: TTFont) -> None:
    """Draw the brackets of STAND_INS with their likes."""
    for table in font["cmap"].tables:
        for wanted, like in STAND_INS.items():
            if table.isUnicode() and like in table.cmap:
                table.cmap[wanted] = table.cmap[like]


def make() -> None:
    """Write all fonts."""
    FONTS.mkdir(parents=True, exist_ok=True)
    latin = {c for first, last in INTER_RANGES for c in range(first, last + 1)}
    for weight in ("Regular", "Medium", "SemiBold", "Bold"):
        font = TTFont(INTER / f"Inter-{weight}.otf")
        cut(font, latin | our_characters(), INTER_FEATURES, FONTS / f"Inter-{weight}.otf")
    chinese = common_chinese() | our_characters() | set(range(0x20, 0x7F)) | {0x25CC, 0xFFFD}
    chinese |= set(STAND_INS)
    for weight in ("Regular", "Bold"):
        font = TTFont(NOTO / f"NotoSansCJK-{weight}.ttc", fontNumber=SIMPLIFIED_CHINESE)
        rename(font, weight)
        stand_in(font)
        cut(font, chinese, NOTO_FEATURES, FONTS / f"NotoSansSC-{weight}.otf")


def main() -> int:
    """Make the fonts, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing, report what is missing"
    )
    if not parser.parse_args().check:
        make()
    absent = sorted(missing())
    for point in absent:
        name = unicodedata.name(chr(point), "?")
        sys.stdout.write(f"no font draws U+{point:04X} {chr(point)} {name}\n")
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
