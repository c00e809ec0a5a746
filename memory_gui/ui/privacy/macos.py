# SPDX-License-Identifier: MIT
"""Three calls into macOS that Qt has no words for, by the Objective-C runtime's C functions.

Written after Apple's documentation and held by tests against a runtime that is played; not yet run
on a Mac.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any, Final, Protocol

CONCEALED: Final = b"org.nspasteboard.ConcealedType"
SHARING_NONE: Final = 0
"""NSWindowSharingNone: the window's contents cannot be read by another process."""
SHARING_READ_ONLY: Final = 1


class Runtime(Protocol):
    """What is needed of ``libobjc``."""

    def klass(self, name: bytes) -> int:
        """A class."""

    def send(self, receiver: int, selector: bytes, *arguments: Any, types: tuple[Any, ...]) -> int:
        """``[receiver selector…]``; ``types`` are those of the arguments."""


class Objc:
    """The real one."""

    def __init__(self) -> None:
        """Raises OSError where there is none."""
        path = ctypes.util.find_library("objc")
        if path is None:
            raise OSError("no Objective-C runtime")
        self._lib = ctypes.CDLL(path)
        self._lib.objc_getClass.restype = ctypes.c_void_p
        self._lib.objc_getClass.argtypes = [ctypes.c_char_p]
        self._lib.sel_registerName.restype = ctypes.c_void_p
        self._lib.sel_registerName.argtypes = [ctypes.c_char_p]

    def klass(self, name: bytes) -> int:
        """A class."""
        return int(self._lib.objc_getClass(name) or 0)

    def send(self, receiver: int, selector: bytes, *arguments: Any, types: tuple[Any, ...]) -> int:
        """``[receiver selector…]``."""
        prototype = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, *types)
        function = prototype(("objc_msgSend", self._lib))
        return int(function(receiver, self._lib.sel_registerName(selector), *arguments) or 0)


def conceal_pasteboard(runtime: Runtime | None = None) -> bool:
    """Mark what lies on the general pasteboard as concealed (nspasteboard.org)."""
    try:
        objc = runtime or Objc()
    except OSError:
        return False
    strings = objc.klass(b"NSString")
    text = (ctypes.c_char_p,)
    kind = objc.send(strings, b"stringWithUTF8String:", CONCEALED, types=text)
    empty = objc.send(strings, b"stringWithUTF8String:", b"", types=text)
    board = objc.send(objc.klass(b"NSPasteboard"), b"generalPasteboard", types=())
    kinds = objc.send(objc.klass(b"NSArray"), b"arrayWithObject:", kind, types=(ctypes.c_void_p,))
    both = (ctypes.c_void_p, ctypes.c_void_p)
    objc.send(board, b"addTypes:owner:", kinds, None, types=both)
    return bool(objc.send(board, b"setString:forType:", empty, kind, types=both))


def share_window(view: int, *, shared: bool, runtime: Runtime | None = None) -> bool:
    """Let other programs capture the window of an NSView, or not. False where it has none yet."""
    try:
        objc = runtime or Objc()
    except OSError:
        return False
    window = objc.send(view, b"window", types=())
    if not window:
        return False
    kind = SHARING_READ_ONLY if shared else SHARING_NONE
    objc.send(window, b"setSharingType:", kind, types=(ctypes.c_ulong,))
    return True
