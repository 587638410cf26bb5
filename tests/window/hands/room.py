"""Where a program runs: a display, an unused home folder, and an environment."""

import contextlib
import os
import select
import shutil
import subprocess
import tempfile
from pathlib import Path

from .facts import PATIENCE, expect


@contextlib.contextmanager
def display(*options):
    """An X server that chooses a free display number itself; returns its name (":7")."""
    read_end, write_end = os.pipe()
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", *options]
    server = subprocess.Popen(command, pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write_end)
    try:
        ready, _, _ = select.select([read_end], [], [], PATIENCE)
        number = os.read(read_end, 16).decode().strip() if ready else ""
        expect(number, "Xvfb does not start")
        yield ":" + number
    finally:
        os.close(read_end)
        server.terminate()
        server.wait()


class Home:
    """An unused home folder of a user who has started the program before."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="window-test-")
        self.path = Path(self._folder.name)
        self.last = self.path / ".local/state/attenscope/last.json"
        self.settings = self.path / ".config/attenscope/settings.json"
        self.settings.parent.mkdir(parents=True)
        self.settings.write_text('{"first_start_done": true}\n', encoding="utf-8")

    def forget(self):
        """Makes the next start the first one."""
        for folder in (".config", ".local"):
            shutil.rmtree(self.path / folder, ignore_errors=True)

    def close(self):
        self._folder.cleanup()


def environment(home, display_name, extra=None):
    """A clean environment: nothing of the caller's desktop affects a test. A value of None removes a variable."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
            if name in os.environ}
    kept.update({"HOME": str(home.path), "DISPLAY": display_name, "LANG": "C.UTF-8", "LIBGL_ALWAYS_SOFTWARE": "1"})
    kept.update(extra or {})
    return {name: value for name, value in kept.items() if value is not None}
