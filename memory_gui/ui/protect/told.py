# SPDX-License-Identifier: MIT
"""What an opening finished of changes of keys and encryption, in sentences. Knows no Qt."""

from __future__ import annotations

from memory_gui.services import Services
from memory_gui.words import Words
from memory_gui.words.rotation import NEWS, STRAY


def told(services: Services, words: Words) -> list[str]:
    """Said once; a readable store in the place of an encrypted one every time. Any thread."""
    lines = [words.say(NEWS[one.code], path=one.path) for one in services.rotating.news()]
    agents = {one.info.path: one.info.agent for one in services.library.stores()}
    return lines + [
        words.say(STRAY, path=one.path, agent=agents[one.path])
        for one in services.protect.strays()
        if one.path in agents
    ]
