"""What the window tests stand on: a display of their own, the program in it, and a hand on keyboard and mouse.

The program is started with --report FILE, so that a test knows what the window shows and where each control is; nothing
is read off the picture. Standard library only; Xvfb and xdotool do the rest.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 20.0  # seconds until something that must happen counts as not happening
POLL = 0.02


class Failed(Exception):
    """An expectation that was not met, as a sentence."""


def expect(condition, sentence):
    if not condition:
        raise Failed(sentence)


@contextlib.contextmanager
def display(*options):
    """An X server on a number that it finds free itself; gives its name (":7")."""
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
    """A home folder that no other run has seen."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="window-test-")
        self.path = Path(self._folder.name)
        self.last = self.path / ".local/state/attenscope/last.json"
        self.settings = self.path / ".config/attenscope/settings.json"

    def close(self):
        self._folder.cleanup()


def environment(home, display_name, extra=None):
    """A clean one: nothing of the caller's desktop leaks into a test. A value of None takes a variable away."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
            if name in os.environ}
    kept.update({"HOME": str(home.path), "DISPLAY": display_name, "LANG": "C.UTF-8", "LIBGL_ALWAYS_SOFTWARE": "1"})
    kept.update(extra or {})
    return {name: value for name, value in kept.items() if value is not None}


class Program:
    """The program in its window. Use as a context: whatever happens, it is gone at the end."""

    def __init__(self, binary, home, display_name, *arguments, **extra):
        self._report = home.path / f"report-{time.monotonic_ns()}.json"
        self._display = display_name
        self._pointer = None
        self.process = subprocess.Popen([binary, "--report", str(self._report), *arguments],
                                        env=environment(home, display_name, extra), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        try:
            self.until(lambda r: r["settled"], "a first frame")
            self.window = self._xdotool("search", "--sync", "--onlyvisible", "--pid", str(self.process.pid)).split()[-1]
            self._xdotool("windowfocus", "--sync", self.window)
            self.settled()
            self._xdotool("mousemove", "--window", self.window, "1", "1")  # it starts in the middle of the screen
            self.settled()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    # -- looking

    def report(self):
        """The newest; None before the first. It is replaced whole, so that it always can be read."""
        try:
            return json.loads(self._report.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None

    def until(self, holds, what):
        """Waits until the report fulfils `holds`, and gives it."""
        end = time.monotonic() + PATIENCE
        while True:
            report = self.report()
            if report is not None and holds(report):
                return report
            status = self.process.poll()
            if status is not None:
                raise Failed(f"the program ended with {status} while waiting for {what}: {self.complaint()}")
            if time.monotonic() > end:
                seen = {key: value for key, value in (report or {}).items() if key != "widgets"}
                raise Failed(f"waited in vain for {what}; last seen: {seen}")
            time.sleep(POLL)

    def settled(self):
        return self.until(lambda r: r["settled"], "the window to come to rest")

    def complaint(self):
        return self.process.stderr.read().decode(errors="replace").strip()[-500:]

    def place(self, widget, across=0.5, down=0.5):
        """A point of a control, as shares of its width and height."""
        found = [w for w in self.settled()["widgets"] if w[0] == widget]
        expect(found, f"there is no control named {widget}")
        _, x, y, width, height = found[-1]
        return round(x + across * width), round(y + down * height)

    def processor_time(self):
        """Seconds of user and system time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # -- acting

    def _xdotool(self, *arguments):
        done = subprocess.run(["xdotool", *arguments], env={**os.environ, "DISPLAY": self._display},
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        expect(done.returncode == 0, f"xdotool {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def _act(self, *arguments):
        """One event, and the frames that follow it: what comes next finds the window at rest."""
        before = self.report()["frame"]
        self._xdotool(*arguments)
        few = 3  # where it never rests (it plays, or a button is held) these are enough to see the event
        self.until(lambda r: r["frame"] > before + (0 if r["settled"] else few), f"a frame after {arguments}")

    def move(self, x, y):
        if (x, y) != self._pointer:
            self._act("mousemove", "--window", self.window, str(x), str(y))
        self._pointer = (x, y)

    def click(self, widget, across=0.5, down=0.5):
        self.move(*self.place(widget, across, down))
        self._act("mousedown", "1")
        self._act("mouseup", "1")

    def wheel(self, widget, notches):
        """Turned away from the hand where `notches` is positive."""
        self.move(*self.place(widget))
        for _ in range(abs(notches)):
            self._act("click", "4" if notches > 0 else "5")

    def drag(self, widget, start, end):
        """From one share of the width to another, or from one pair of shares, across and down, to another."""
        def at(share):
            return self.place(widget, *share) if isinstance(share, tuple) else self.place(widget, share)

        there = at(end)
        self.move(*at(start))
        self._act("mousedown", "1")
        self.move(*there)
        self._act("mouseup", "1")

    def key(self, combination, holds, what):
        """Holds a combination down until it has taken effect, as a finger does."""
        keys = combination.split("+")
        for name in keys[:-1]:
            self._act("keydown", name)
        self._xdotool("keydown", keys[-1])
        seen = self.until(holds, what)
        for name in reversed(keys):
            self._act("keyup", name)
        return seen

    def tap(self, combination):
        """A key whose effect cannot be seen at once."""
        for name in (keys := combination.split("+")):
            self._act("keydown", name)
        for name in reversed(keys):
            self._act("keyup", name)

    def clipboard(self):
        """What another program gets when it pastes."""
        done = subprocess.run(["xclip", "-selection", "clipboard", "-o"], env={**os.environ, "DISPLAY": self._display},
                              capture_output=True, timeout=PATIENCE, check=False)
        expect(done.returncode == 0, f"xclip: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode()

    def copy_elsewhere(self, text):
        """As if another program had copied."""
        subprocess.run(["xclip", "-selection", "clipboard", "-i"], input=text.encode(), timeout=PATIENCE, check=True,
                       env={**os.environ, "DISPLAY": self._display}, stdout=subprocess.DEVNULL)

    def type(self, text):
        # A sign that no key has is lent one for a moment, which the program must not be too late to look at.
        for piece in [text] if text.isascii() else text:
            self._xdotool("type", "--delay", "60" if piece.isascii() else "600", piece)

    def write(self, text):
        """Replaces the text of the field."""
        self.click("text", 0.1)
        self.until(lambda r: r["typing"], "the caret in the text")
        self.tap("ctrl+a")
        self.type(text)
        return self.until(lambda r: r["text"] == text and r["settled"], f"the text {text}")

    def leave_field(self):
        """Takes the keyboard out of the text field, by a click where nothing is."""
        self.click("stage", 0.02, 0.98)
        self.settled()

    def resize(self, width, height):
        self._xdotool("windowsize", self.window, str(width), str(height))
        return self.until(lambda r: r["window"] == [width, height] and r["settled"], f"the size {width} × {height}")

    def ends(self):
        """The exit status."""
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired as late:
            raise Failed("the program does not end") from late

    def quit(self):
        self._act("keydown", "ctrl")
        self._xdotool("keydown", "q")
        try:
            return self.ends()
        finally:
            self._xdotool("keyup", "q", "keyup", "ctrl")

    def signal(self, number):
        self.process.send_signal(number)
        return self.ends()

    def kill(self):
        return self.signal(signal.SIGKILL)
