# SPDX-License-Identifier: MIT
"""What a start is compared with: a bare window with an empty table, as somebody writes it once.

``bare_window.py [DATABASE]``, the key (hex) on standard input. With a database its newest 200
records are selected first, and kept. Prints, at the first paint: seconds of processor, and the
system's clock.
"""

import os
import sys
import time
from importlib import import_module

from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QMainWindow, QTableView

NEWEST = "SELECT * FROM memories WHERE deleted_at IS NULL ORDER BY updated_at DESC LIMIT 200"


class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print(time.process_time(), time.monotonic(), flush=True)
        os._exit(0)


def selected(path):
    connection = import_module("sqlcipher3").connect(path)
    connection.execute(f"PRAGMA key = \"x'{sys.stdin.readline().strip()}'\"")
    return connection.execute(NEWEST).fetchall()


app = QApplication([])
window = Window()
table = QTableView()
table.setModel(QStandardItemModel(0, 4))
window.setCentralWidget(table)
window.resize(1180, 760)
rows = selected(sys.argv[1]) if sys.argv[1:] else []
window.show()
app.exec()
