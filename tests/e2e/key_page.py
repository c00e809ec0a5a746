# SPDX-License-Identifier: MIT
"""Opens a store in the window, without a screen, and prints what the person reads, as JSON.

``python key_page.py DATA STORE [cancel]``: the page and its texts; with ``cancel`` it presses
Cancel when it is told to by a line, and tells how long it took to be gone.
"""

import json
import os
import select
import sys
import time
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from memory_gui.services import build_services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.palette import Theme
from memory_gui.ui.window import MainWindow
from memory_gui.vault.keychain import Keychain
from memory_gui.words import Words

PATIENCE_S = 60


def main() -> None:
    data, store, *cancels = sys.argv[1:]
    application = QApplication([])
    words = Words("en")
    services = build_services(
        words=words, home=Path(data) / "home", data_dir=Path(data), keychain=Keychain()
    )
    context = Context(services, Bridge(), words)
    window = MainWindow(context, Theme(application, "light"), lambda: ())
    window.resize(1024, 640)
    window.show()
    gap = [0.0]

    def pump(until, seconds):
        end = last = time.monotonic()
        end += seconds
        while time.monotonic() < end:
            application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
            now = time.monotonic()
            gap[0], last = max(gap[0], now - last), now
            if until():
                return True
            time.sleep(0.005)
        return False

    pump(lambda: False, 0.3)
    gap[0] = 0.0
    window.open_paths([store])
    told = {}
    if cancels:
        button = window._panes.busy.findChild(QPushButton, "busy.cancel")
        print("asking", flush=True)
        pump(button.isVisible, PATIENCE_S)
        pump(lambda: select.select([sys.stdin], [], [], 0)[0], PATIENCE_S)
        began = time.monotonic()
        button.click()
        pump(lambda: not context.bridge.busy, PATIENCE_S)
        told["cancelled_s"] = time.monotonic() - began
    else:

        def page():
            return window._panes.host.page

        def shown():
            if window.page_name == "key":
                return bool(page().heading.text())
            return window.page_name == "memories" and bool(services.library.stores())

        pump(shown, PATIENCE_S)
        if window.page_name == "key":
            names = ("heading", "cause", "next")
            told = {name: getattr(page(), name).text() for name in names}
            told["details"] = [one.text() for one in page().details.findChildren(QLabel)]
            told["entry"] = page().entry.isVisible()
            told["retry"] = page().retry.isVisible()
    told |= {"page": window.page_name, "gap_ms": round(gap[0] * 1000)}
    print(json.dumps(told), flush=True)
    window.close()
    services.close()


if __name__ == "__main__":
    main()
