# SPDX-License-Identifier: MIT
"""Write the maps in ARCHITECTURE.md, of the whole and of the services, from the real imports.

Usage: ``python packaging/map.py [--check]``. Each row of a map is a part, what it is for (as it
stands in the page), and the parts it imports; a test fails when page and imports differ. Needs
grimp.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "ARCHITECTURE.md"
WHOLE = "memory_gui"
MAPS = (WHOLE, "memory_gui.services")
"""What a map is drawn of: the whole with all its parts, the services with their rooms."""
LAST = "<!-- end of map -->\n"
HEAD = "| {} | what it is for | imports |\n|---|---|---|\n"
ROW = re.compile(r"^\| \*\*(\w+)\*\* \| (.*) \| [^|]* \|$", re.MULTILINE)


def first(of: str) -> str:
    """The mark before a map."""
    return f"<!-- map of {of}: made by packaging/map.py -->\n"


def layers(of: str = WHOLE) -> list[list[str]]:
    """The parts from top to bottom, as the import contract in pyproject.toml has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    inside = None if of == WHOLE else [of]
    (layered,) = [
        contract
        for contract in contracts
        if contract["type"] == "layers" and contract.get("containers") == inside
    ]
    return [
        [name.strip(" ()").removeprefix(f"{of}.") for name in layer.split("|")]
        for layer in layered["layers"]
    ]


@cache
def graph() -> grimp.ImportGraph:
    """Every import in the source."""
    return grimp.build_graph(WHOLE, cache_dir=None)


def imports(of: str = WHOLE) -> dict[str, set[str]]:
    """Which part imports which, from the source. Of the services the rooms alone are parts."""
    parts = {one.removeprefix(f"{of}.") for one in graph().find_children(of)}
    if of != WHOLE:
        parts = {one for one in parts if graph().find_children(f"{of}.{one}")}
    found: dict[str, set[str]] = {part: set() for part in parts}

    def part(module: str) -> str:
        inside = module.removeprefix(f"{of}.")
        return "" if inside == module else inside.split(".")[0]

    for module in graph().find_descendants(of):
        if part(module) in parts:
            imported = graph().find_modules_directly_imported_by(module)
            found[part(module)] |= {part(other) for other in imported} & parts
    return {name: others - {name} for name, others in found.items()}


def told(text: str, of: str) -> dict[str, str]:
    """What each part is for, as it stands in the page."""
    return dict(ROW.findall(text.partition(first(of))[2].partition(LAST)[0]))


def draw(of: str, purposes: Mapping[str, str]) -> str:
    """The map: the layers from top to bottom, then the parts that stand beside them."""
    found = imports(of)
    order = [name for layer in layers(of) for name in layer if name in found]
    order += sorted(set(found) - set(order))
    rows = []
    for name in order:
        below = " ".join(sorted(found[name], key=order.index))
        rows.append(f"| **{name}** | {purposes.get(name, '')} | {below} |\n")
    return HEAD.format("part" if of == WHOLE else "room") + "".join(rows)


def page_with(text: str, of: str, drawn: str) -> str:
    """The page with this map in it."""
    head, _, rest = text.partition(first(of))
    _, found, tail = rest.partition(LAST)
    if not found:
        message = f"ARCHITECTURE.md has lost the marks around its map of {of}"
        raise ValueError(message)
    return f"{head}{first(of)}{drawn}{LAST}{tail}"


def drawn_again(text: str) -> str:
    """The page with all its maps as they should be."""
    for of in MAPS:
        text = page_with(text, of, draw(of, told(text, of)))
    return text


def main() -> int:
    """Write the maps, or tell whether they are the same."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="write nothing; end 1 when one differs"
    )
    text = PAGE.read_text(encoding="utf-8")
    new = drawn_again(text)
    if parser.parse_args().check:
        return int(new != text)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
