"""What a scenario uses: a program that can be started, with a display and a home folder of its own."""

import json
import subprocess

from .program import Program
from .room import environment


class Stage:
    def __init__(self, binary, display_name, home):
        self.binary, self.display_name, self.home = binary, display_name, home

    def start(self, *arguments, **extra):
        return Program(self.binary, self.home, self.display_name, *arguments, **extra)

    def open(self, **fields):
        """Starts it with a document."""
        path = self.home.path / "document.json"
        path.write_text(json.dumps(fields), encoding="utf-8")
        return self.start(str(path))

    def run_to_end(self, display_name, *arguments):
        """For starts that fail: exit status and output."""
        done = subprocess.run([self.binary, *arguments], env=environment(self.home, display_name), capture_output=True,
                              text=True, timeout=60, check=False)
        return done.returncode, done.stderr
