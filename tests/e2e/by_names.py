# SPDX-License-Identifier: MIT
"""The main window, seen and worked as a screen reader does: by the names of its parts."""

import re

TITLE = "Agent Memory"


class Window:
    """The main window, by the names of its parts."""

    def __init__(self, desktop, program):
        self.desktop = desktop
        self.program = program
        self.window = desktop.window(TITLE, timeout=60)

    def part(self, name, **more):
        return self.window.find(id=name, **more)

    def shows(self, name):
        return bool(self.window.find_all(id=name))

    def says(self, name, text, timeout=60):
        """Wait until a label says this (a text or a pattern)."""
        fits = re.compile(re.escape(text) if isinstance(text, str) else text.pattern)
        last = [""]

        def look():
            found = self.window.find_all(id=name)
            last[0] = found[0].text if found else "(not there)"
            return bool(fits.search(last[0]))

        assert self.desktop.wait(look, timeout), f"{name} says {last[0]!r}\n{self.window.tree()}"

    def keys(self, *chords):
        self.desktop.key(*chords)

    def menu(self, name):
        """Press an entry of the window's menu, which is on the bus without being open."""
        self.window.find_all("menu item", name, showing=False)[0].press()

    def quit(self):
        """Close the window as a person does."""
        self.keys("ctrl+q")
        assert self.program.wait(60) == 0

    def view(self, name):
        """Go to a view of the sidebar."""
        views = self.part("sidebar.views")
        views.choose(re.compile(rf"^{name}"))

    def list_is(self, rows, timeout=60):
        """Wait until the list has so many rows; an empty one says so instead."""
        last = [None]

        def look():
            tables = self.window.find_all("table", "Records")
            empty = self.window.find_all("label", re.compile("^(Nothing|The trash is empty)"))
            last[0] = tables[0].size[0] if tables else 0 if empty else None
            return last[0] == rows

        assert self.desktop.wait(look, timeout), f"{last[0]} rows\n{self.window.tree()}"

    def search(self, text):
        self.keys("ctrl+f")
        self.window.find("text", "Search").type(text)

    def count(self):
        """How many records the list has, once it stands still."""
        table = self.window.find("table", "Records")
        assert self.desktop.wait(lambda: table.size[0] > 0, 60), self.window.tree()
        return table.size[0]
