"""Files that are dragged from another program onto a window: the source's side of XDND, version 5, over libX11.

Standard library only. It sends the events that a file manager sends; the pointer itself does not move.
"""

import ctypes
import time
from pathlib import Path

PATIENCE = 60.0  # seconds after which a drop that no window accepts counts as refused
CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
VERSION = 5


class _ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ctypes.c_ulong), ("message", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class _SelectionRequest(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("owner", ctypes.c_ulong), ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong),
                ("target", ctypes.c_ulong), ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class _SelectionNotify(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong), ("target", ctypes.c_ulong),
                ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class _Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", _ClientMessage), ("request", _SelectionRequest),
                ("notify", _SelectionNotify), ("size", ctypes.c_long * 24)]


def _library():
    x = ctypes.CDLL("libX11.so.6")
    display, number, window = ctypes.c_void_p, ctypes.c_int, ctypes.c_ulong
    for name, result, arguments in (
            ("XOpenDisplay", display, [ctypes.c_char_p]), ("XCloseDisplay", number, [display]),
            ("XDefaultRootWindow", window, [display]), ("XFlush", number, [display]), ("XPending", number, [display]),
            ("XInternAtom", window, [display, ctypes.c_char_p, number]),
            ("XCreateSimpleWindow", window, [display, window] + [number] * 2 + [ctypes.c_uint] * 3 + [window] * 2),
            ("XSetSelectionOwner", number, [display, window, window, window]),
            ("XSendEvent", number, [display, window, number, ctypes.c_long, ctypes.POINTER(_Event)]),
            ("XNextEvent", number, [display, ctypes.POINTER(_Event)]),
            ("XChangeProperty", number, [display, window, window, window, number, number, ctypes.c_char_p, number])):
        function = getattr(x, name)
        function.restype, function.argtypes = result, arguments
    return x


class _Source:
    """An invisible window, and the data that it offers."""

    def __init__(self, display_name, target, paths):
        self._x = _library()
        self._display = self._x.XOpenDisplay(display_name.encode())
        if not self._display:
            raise OSError(f"no display {display_name}")
        self._target = target
        self._list = "".join(Path(path).absolute().as_uri() + "\r\n" for path in paths).encode()
        self._own = self._x.XCreateSimpleWindow(self._display, self._x.XDefaultRootWindow(self._display), 0, 0, 1, 1, 0, 0, 0)

    def close(self):
        self._x.XCloseDisplay(self._display)

    def _atom(self, name):
        return self._x.XInternAtom(self._display, name.encode(), 0)

    def _tell(self, message, *data):
        event = _Event()
        event.client.type, event.client.window, event.client.format = CLIENT_MESSAGE, self._target, 32
        event.client.message = self._atom(message)
        for i, value in enumerate((self._own, *data)):
            event.client.data[i] = value
        self._x.XSendEvent(self._display, self._target, 0, 0, ctypes.byref(event))

    def _give(self, request):
        self._x.XChangeProperty(self._display, request.requestor, request.property, request.target, 8, 0, self._list, len(self._list))
        event = _Event()
        event.notify.type, event.notify.requestor, event.notify.selection = SELECTION_NOTIFY, request.requestor, request.selection
        event.notify.target, event.notify.property, event.notify.time = request.target, request.property, request.time
        self._x.XSendEvent(self._display, request.requestor, 0, 0, ctypes.byref(event))

    def drop(self, x, y):
        self._x.XSetSelectionOwner(self._display, self._atom("XdndSelection"), self._own, 0)
        self._tell("XdndEnter", VERSION << 24, self._atom("text/uri-list"))
        self._tell("XdndPosition", 0, x << 16 | y, 0, self._atom("XdndActionCopy"))
        self._tell("XdndDrop", 0, 0)
        self._x.XFlush(self._display)
        finished, end = self._atom("XdndFinished"), time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while self._x.XPending(self._display):
                event = _Event()
                self._x.XNextEvent(self._display, ctypes.byref(event))
                if event.type == SELECTION_REQUEST:
                    self._give(event.request)
                    self._x.XFlush(self._display)
                elif event.type == CLIENT_MESSAGE and event.client.message == finished:
                    return True
            time.sleep(0.02)
        return False


def drop(display_name, window, paths, x=100, y=100):
    """Drops files at a position of the screen onto a window; returns whether the window accepted them."""
    source = _Source(display_name, window, paths)
    try:
        return source.drop(x, y)
    finally:
        source.close()
