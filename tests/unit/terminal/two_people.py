# SPDX-License-Identifier: MIT
"""Two people in a store: one is meant, the name of the other only begins alike."""

NAMED = (
    "INSERT INTO memories(id, scope, key_normalized, title, content, created_at, updated_at)"
    " VALUES (?, 'project', ?, ?, ?, '2026-01-01T00:00:00', '2026-01-01T00:00:00')"
)
HIS = "李雷 lives in the street of the seven bridges"
HERS = "李雷雷 stays where she is"


def texts(terminal):
    return {row[2] for row in terminal.rows()}
