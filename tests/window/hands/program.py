"""The program in its window, operated by keyboard and mouse.

The program is started with --report FILE, so that a test knows what the window shows and where each control is; pixels
are not read. Standard library only; Xvfb and xdotool do the rest.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from .dropping import drop
from .facts import PATIENCE, Failed, expect, shortened
from .room import environment

POLL = 0.02
FEW = 3  # frames after which a window that never rests (during playback, or while a button is held) has shown the effect of an event
LATE_SIGN = 5.0  # seconds after which a typed character counts as lost


def as_named_here(text):
    """For the program of Windows that runs in Wine (app/packaging/windows/wine), where this system is the drive Z:."""
    return re.sub(r"Z:((?:[\\/]+[\w.-]+)+)", lambda path: re.sub(r"[\\/]+", "/", path[1]), text)


class Program:
    """The program in its window. Used as a context: it always ends with the context."""

    def __init__(self, binary, home, display_name, *arguments, **extra):
        self._report = home.path / f"report-{time.monotonic_ns()}.json"
        self._display = display_name
        self._sent = 0  # keys and buttons pressed or released, and notches of the wheel
        self.process = subprocess.Popen([binary, "--report", str(self._report), *arguments],
                                        env=environment(home, display_name, extra), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        try:
            self.until(lambda r: r["settled"], "a first frame")
            self.window = self._xdotool("search", "--sync", "--onlyvisible", "--pid", str(self.process.pid)).split()[-1]
            self._xdotool("windowfocus", "--sync", self.window)
            self.settled()
            self.move(1, 1)  # it starts in the middle of the screen
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

    # -- reading the report

    def report(self):
        """The newest report; None before the first. The file is replaced as a whole, so it can always be read."""
        try:
            return json.loads(as_named_here(self._report.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None

    def until(self, holds, what, patience=PATIENCE):
        """Waits until the report fulfils `holds`, and returns it."""
        end = time.monotonic() + patience
        while True:
            report = self.report()
            if report is not None and holds(report):
                return report
            status = self.process.poll()
            if status is not None:
                raise Failed(f"the program ended with {status} while waiting for {what}: {self.complaint()}")
            if time.monotonic() > end:
                seen = {key: shortened(value) for key, value in (report or {}).items() if key != "widgets"}
                raise Failed(f"waited in vain for {what}; last seen: {seen}")
            time.sleep(POLL)

    def settled(self):
        return self.until(lambda r: r["settled"], "the window to come to rest")

    def rests(self, still=0.5, tries=6):
        """Waits for half a second without a frame. A key that is released while a slow frame is drawn requests one more
        frame after the window has reported that it is at rest, so a few tries are allowed; continuous motion fails them
        all."""
        for _ in range(tries):
            before = self.settled()["frame"]
            time.sleep(still)
            if self.report()["frame"] == before:
                return
        raise Failed(f"frames go on while nothing moves: {self.report()['frame'] - before} in the last {still} s")

    def complaint(self):
        return self.process.stderr.read().decode(errors="replace").strip()[-500:]

    def place(self, widget, across=0.5, down=0.5):
        """A point of a control, in fractions of its width and height."""
        def rect(report):
            return next((w[1:] for w in reversed(report["widgets"]) if w[0] == widget), None)

        place = {}  # where it is, and the frame in which it was first there

        def holds(report):  # while something else moves, a control counts as still after a few frames
            at = rect(report)
            if at != place.get("at"):
                place.update(at=at, since=report["frame"])
            return at and (report["settled"] or report["frame"] > place["since"] + FEW)

        x, y, width, height = rect(self.until(holds, f"a control named {widget}"))
        return round(x + across * width), round(y + down * height)

    def processor_time(self):
        """Seconds of user and system time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # -- acting on the window

    def layout(self, name):
        """Another keyboard layout. The server keeps it as long as the program is connected."""
        done = subprocess.run(["setxkbmap", name], env={**os.environ, "DISPLAY": self._display}, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)
        expect(done.returncode == 0, f"setxkbmap {name}: {done.stderr.strip()}")

    def _xdotool(self, *arguments):
        done = subprocess.run(["xdotool", *arguments], env={**os.environ, "DISPLAY": self._display},
                              capture_output=True, text=True, timeout=PATIENCE, check=False)
        expect(done.returncode == 0, f"xdotool {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def _send(self, *arguments, changes):
        """Performs events that cause so many changes of keys, buttons and the wheel."""
        self._xdotool(*arguments)
        self._sent += changes

    def _seen(self, holds, what):
        """Waits for a frame that has seen an event, and for those that follow it, so that the window is at rest for the next
        event. Only events counted by the program itself are seen: a slow frame may have begun before the event arrived."""
        first = self.until(holds, what)["frame"]
        return self.until(lambda r: holds(r) and (r["settled"] or r["frame"] > first + FEW), what)

    def _arrived(self):
        return self._seen(lambda r: r["input"]["changes"] >= self._sent, f"{self._sent} changes of keys and buttons")

    def act(self, *arguments):
        """One change: a key or a button is pressed or released, or the wheel turns by one notch."""
        self._send(*arguments, changes=1)
        self._arrived()

    def move(self, x, y):
        if self.report()["input"]["pointer"] == [x, y]:
            return
        self._xdotool("mousemove", "--window", self.window, str(x), str(y))
        self._seen(lambda r: r["input"]["pointer"] == [x, y], f"the pointer at {x}, {y}")

    def click(self, widget, across=0.5, down=0.5):
        self.move(*self.place(widget, across, down))
        self.act("mousedown", "1")
        self.act("mouseup", "1")

    def wheel(self, widget, notches):
        """Scrolls away from the user if `notches` is positive."""
        self.move(*self.place(widget))
        for _ in range(abs(notches)):
            self.act("click", "4" if notches > 0 else "5")

    def drag(self, widget, start, end):
        """Drags from one fraction of the width to another, or from one pair of fractions, across and down, to another."""
        def at(share):
            return self.place(widget, *share) if isinstance(share, tuple) else self.place(widget, share)

        there = at(end)
        self.move(*at(start))
        self.act("mousedown", "1")
        self.move(*there)
        self.act("mouseup", "1")

    def key(self, combination, holds, what):
        """Presses a combination and waits for its effect. The last key is pressed and released at once: if it were held
        until its effect is seen, it would repeat during a slow frame."""
        keys = combination.split("+")
        for name in keys[:-1]:
            self.act("keydown", name)
        self._send("keydown", keys[-1], "keyup", keys[-1], changes=2)
        seen = self.until(holds, what)
        self._arrived()
        for name in reversed(keys[:-1]):
            self.act("keyup", name)
        return seen

    def tap(self, combination):
        """Presses a key whose effect cannot be seen at once."""
        for name in (keys := combination.split("+")):
            self.act("keydown", name)
        for name in reversed(keys):
            self.act("keyup", name)

    def tap_at_once(self, *combinations):
        """Presses keys that have all arrived before the program processes the first, as during a slow frame."""
        os.kill(self.process.pid, signal.SIGSTOP)
        for keys in (combination.split("+") for combination in combinations):
            for name in keys:
                self._send("keydown", name, changes=1)
            for name in reversed(keys):
                self._send("keyup", name, changes=1)
        os.kill(self.process.pid, signal.SIGCONT)
        self._arrived()

    def clipboard(self):
        """What another program receives when it pastes."""
        done = subprocess.run(["xclip", "-selection", "clipboard", "-o"], env={**os.environ, "DISPLAY": self._display},
                              capture_output=True, timeout=PATIENCE, check=False)
        expect(done.returncode == 0, f"xclip: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode()

    def copy_elsewhere(self, text):
        """Sets the clipboard as if another program had copied."""
        subprocess.run(["xclip", "-selection", "clipboard", "-i"], input=text.encode(), timeout=PATIENCE, check=True,
                       env={**os.environ, "DISPLAY": self._display}, stdout=subprocess.DEVNULL)

    def type(self, text, lent=600):
        """A character that no key has is assigned to one for so many milliseconds: the program must look it up within that
        time."""
        typed = self.report()["input"]["typed"]
        for piece in [text] if text.isascii() else text:
            self._xdotool("type", "--delay", "60" if piece.isascii() else str(lent), piece)
        # Only xdotool knows how many keys that took. A character that came too late is noticed by checking the text.
        with contextlib.suppress(Failed):
            self.until(lambda r: r["input"]["typed"] >= typed + len(text), "what was typed", LATE_SIGN)
        self._sent = self.until(lambda r: r["input"]["held"] == 0, "all keys to be up")["input"]["changes"]

    def drop(self, *paths):
        """Drops files as if they were dragged here from a file manager."""
        expect(drop(self._display, int(self.window), paths), f"the drop of {paths} was not taken")

    def write(self, text):
        """Replaces the text of the field."""
        self.click("text", 0.1)
        self.until(lambda r: r["typing"], "the caret in the text")
        for lent in (600, 2000, 6000):
            self.tap("ctrl+a")
            self.type(text, lent)
            if text.isascii() or self.settled()["text"] == text:
                break  # on a busy machine the key of an assigned character may have been reassigned
        return self.until(lambda r: r["text"] == text and r["settled"], f"the text {text}")

    def leave_opening_field(self):
        """The same in the opening, which has no stage: clicks the left edge of its header, which does nothing."""
        x, y = self.place("text", 0, 0.5)
        self.move(x - 60, y)
        self.act("mousedown", "1")
        self.act("mouseup", "1")
        self.until(lambda r: not r["typing"], "the keyboard out of the field")

    def leave_field(self):
        """Removes the keyboard focus from the text field, by a click where nothing is."""
        self.click("stage", 0.02, 0.98)
        self.settled()

    def go_to(self, step):
        """Steps forward from the beginning until a step is on the stage."""
        self.key("Home", lambda r: r["stop"] == 0, "the first step")
        for stop in range(1, self.settled()["stops"] + 1):
            if self.settled()["step"] == step:
                return
            self.key("Right", lambda r, stop=stop: r["stop"] >= stop, f"stop {stop}")
        raise Failed(f"there is no step {step}")

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
        self.act("keydown", "ctrl")
        self._xdotool("keydown", "q")
        try:
            # If something was typed within the last second, the program asks for the keys to be pressed again.
            while self.process.poll() is None:
                if "Ctrl+Q" in (self.report() or {}).get("done", ""):
                    self._xdotool("keyup", "q", "keydown", "q")
                    break
                time.sleep(POLL)
            return self.ends()
        finally:
            self._xdotool("keyup", "q", "keyup", "ctrl")

    def signal(self, number):
        self.process.send_signal(number)
        return self.ends()

    def kill(self):
        return self.signal(signal.SIGKILL)
