# SPDX-License-Identifier: MIT
"""Write the map of the layers in ARCHITECTURE.md from the real imports.

Usage: ``python packaging/map.py [--check]``. Each line of the map is a part of the package and the
parts it imports; a test fails when the page and the imports differ. Needs grimp.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "ARCHITECTURE.md"
FIRST, LAST = "<!-- map: made by packaging/map.py -->\n```\n", "```\n<!-- end of map -->\n"


def layers() -> list[list[str]]:
    """The parts from top to bottom, as the import contract in pyproject.toml has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layered,) = [contract for contract in contracts if contract["type"] == "layers"]
    return [
        [name.strip(" ()").removeprefix("memory_gui.") for name in layer.split("|")]
        for layer in layered["layers"]
    ]


def part(module: str) -> str:
    """The part that a module belongs to."""
    return module.removeprefix("memory_gui.").split(".")[0]


def imports() -> dict[str, set[str]]:
    """Which part imports which, from the source."""
    graph = grimp.build_graph("memory_gui", cache_dir=None)
    found: dict[str, set[str]] = {
        part(module): set() for module in graph.modules if module != "memory_gui"
    }
    for module in graph.modules - {"memory_gui"}:
        imported = graph.find_modules_directly_imported_by(module)
        found[part(module)] |= {part(other) for other in imported if other != "memory_gui"}
    return {name: others - {name} for name, others in found.items()}


def draw() -> str:
    """The map: the layers from top to bottom, then the parts that stand beside them."""
    found = imports()
    order = [name for layer in layers() for name in layer]
    order += sorted(set(found) - set(order))
    width = max(map(len, order))
    lines = []
    for name in order:
        if name in found:
            below = sorted(found[name], key=order.index)
            lines.append(f"{name:<{width}}  {'→ ' if below else ''}{' '.join(below)}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def page_with(text: str, drawn: str) -> str:
    """The page with this map in it."""
    head, _, rest = text.partition(FIRST)
    _, found, tail = rest.partition(LAST)
    if not found:
        message = "ARCHITECTURE.md has lost the marks around its map"
        raise ValueError(message)
    return f"{head}{FIRST}{drawn}{LAST}{tail}"


def main() -> int:
    """Write the map, or tell whether it is the same."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; end 1 when it differs")
    text = PAGE.read_text(encoding="utf-8")
    new = page_with(text, draw())
    if parser.parse_args().check:
        return int(new != text)
    PAGE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
