#!/usr/bin/env python3
"""looks.py PROGRAM FOLDER DOCUMENTS: writes to FOLDER pictures of the Windows program's window in Wine, in both languages;
exports a picture to DOCUMENTS; and types Chinese. (tests/window types Chinese as well, but waits until the keys are
released, which Wine does not report for a key that the X server has temporarily assigned to a character.)"""

import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests/window"))
from hands import Home, Stage, display, expect  # noqa: E402


def picture(display_name, file):
    subprocess.run(["import", "-display", display_name, "-window", "root", str(file)], check=True, timeout=60)


def main(program, folder, documents):
    home = Home()
    with display() as name:
        stage = Stage(program, name, home)
        with stage.start(LANG="en") as window:
            picture(name, folder / "en.png")
            window.click("text", 0.1)
            window.until(lambda r: r["typing"], "the caret in the text")
            window.tap("ctrl+a")
            window._xdotool("type", "--delay", "1000", "早上好")
            seen = window.until(lambda r: r["text"] == "早上好" and r["settled"], "the typed text")
            expect(seen["tokens"] == ["早上", "好"], f"tokens {seen['tokens']}")
            window.leave_field()
            picture(name, folder / "typed.png")
            window.key("ctrl+e", lambda r: r["sheet"] == "export", "the export panel")
            window.click("export_scale.0")
            window.click("export_save")
            window.until(lambda r: r["sheet"] == "none" and r["done"], "a picture")
            exported = [file.read_bytes() for file in documents.glob("attenscope-*.png")]
            expect(len(exported) == 1 and exported[0].startswith(b"\x89PNG"), f"{len(exported)} pictures in {documents}")
        with stage.start("一只狗", LANG="zh_CN") as window:
            expect(window.settled()["language"] == "zh", "not in Chinese")
            picture(name, folder / "zh.png")
    home.close()


main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
