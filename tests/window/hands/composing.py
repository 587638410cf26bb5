"""An input method that composes Chinese, on a scenario's display."""

import contextlib
import shlex
import subprocess
import tempfile
from pathlib import Path

from .facts import expect
from .room import environment


@contextlib.contextmanager
def input_method(stage):
    """Starts it; returns the environment for a program that is to use it."""
    libraries = subprocess.run(["pkg-config", "--cflags", "--libs", "xcb-imdkit", "xcb-keysyms", "xcb"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory(prefix="composer-") as folder:
        program = Path(folder) / "composer"
        source = Path(__file__).with_name("composer.cpp")
        subprocess.run(["c++", "-std=c++20", "-o", program, source, *shlex.split(libraries.stdout)], check=True)
        server = subprocess.Popen([program], env=environment(stage.home, stage.display_name), stdout=subprocess.PIPE, text=True)
        try:
            expect(server.stdout.readline() == "ready\n", "the input method does not start")
            yield {"XMODIFIERS": "@im=composer", "LC_ALL": "C.UTF-8"}
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
