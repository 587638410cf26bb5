"""The window itself: its sizes, rest, controls, and commands by name."""

import time

from hands import Stage, display, expect


def reaches_every_control_by_tab(stage):
    """Tab moves through the whole window: the focus is always visible, and returns to where it began."""
    with stage.open(text="the tired cat", variant="multi_head", heads=2, weights="random") as program:
        for screen in ("F2", "F3", "F4", "F8", "F10"):
            program.tap(screen)
            program.settled()
            seen = [program.settled()["focus"]]
            for _ in range(120):
                last = seen[-1]
                moved = program.key("Tab", lambda r, last=last: r["focus"] not in (0, last), f"the next control of {screen}")
                seen.append(moved["focus"])
                if seen.count(seen[-1]) == 2:
                    break
            expect(len(set(seen)) > 8 and seen.count(seen[-1]) == 2, f"{screen}: Tab does not come round: {seen}")
            program.tap("Escape")


def switches_language_theme_and_size(stage):
    with stage.start() as program:
        program.key("F7", lambda r: r["language"] == "zh", "Chinese")
        program.key("F7", lambda r: r["language"] == "en", "English")
        program.click("language")
        program.until(lambda r: r["language"] == "zh", "Chinese, by its button")
        seen = [program.settled()["theme"]]
        for _ in range(3):
            seen.append(program.key("F6", lambda r: r["theme"] != seen[-1], "the next theme")["theme"])
            program.settled()
        expect(seen[0] == seen[3] and len(set(seen)) == 3, f"themes {seen}")
        program.key("ctrl+equal", lambda r: r["scale"] > 1, "a larger interface")
        program.settled()
        program.key("ctrl+0", lambda r: r["scale"] == 1, "the usual size")
        program.key("ctrl+minus", lambda r: r["scale"] < 1, "a smaller interface")
        program.settled()


def opens_within_a_small_screen(stage):
    """The first window is 1440 pixels wide, and a projector may have 1024."""
    with display("-screen", "0", "1024x768x24") as small, Stage(stage.binary, small, stage.home).start() as program:
        seen = program.settled()
        expect(seen["window"] == [1024, 768], f"window {seen['window']}")
        program.click("language")
        program.until(lambda r: r["language"] == "zh", "Chinese, by its button at the right end")


def opens_the_sheet_of_keys(stage):
    with stage.start() as program:
        program.key("F1", lambda r: r["sheet"] == "keys", "the sheet")
        program.key("Escape", lambda r: r["sheet"] == "none", "no sheet")
        program.click("help")
        program.until(lambda r: r["sheet"] == "help" and r["typing"], "help, by its button")
        program.type("all keys")
        program.settled()
        program.key("Return", lambda r: r["sheet"] == "keys", "the sheet, behind help")


def runs_a_command_from_the_palette(stage):
    with stage.start() as program:
        program.key("ctrl+k", lambda r: r["sheet"] == "palette" and r["typing"], "the palette")
        program.type("theme dark")
        program.settled()
        program.key("Return", lambda r: r["theme"] == "dark" and r["sheet"] == "none", "the dark theme")
        program.click("menu")
        program.click("menu.19")
        program.until(lambda r: r["sheet"] == "palette", "the palette, from the menu")
        program.key("Escape", lambda r: r["sheet"] == "none", "no palette")
        program.key("F12", lambda r: not r["panels"], "the stage alone")
        program.key("F12", lambda r: r["panels"], "the panels")


def survives_any_size(stage):
    with stage.start() as program:
        for width, height in ((1, 1), (3000, 40), (40, 3000), (200, 150), (1, 1000), (1440, 900)):
            program.resize(width, height)
        seen = program.write("still here")
        expect(seen["tokens"] == ["still", "here"], f"tokens {seen['tokens']}")


def survives_sizes_while_it_plays(stage):
    with stage.start() as program:
        program.key("space", lambda r: r["playing"], "playing")
        for width, height in ((1, 1), (700, 500), (2, 2), (1300, 800)):
            program._xdotool("windowsize", program.window, str(width), str(height))
            program.until(lambda r: r["window"] == [width, height], f"{width} × {height}")


def fills_the_screen_and_comes_back(stage):
    with stage.start() as program:
        before = program.settled()["window"]
        program.key("F11", lambda r: r["full_screen"] and r["window"] == [1600, 1000], "the full screen")
        program.settled()
        program.key("F11", lambda r: not r["full_screen"] and r["window"] == before, "the window")


def sleeps_while_nothing_moves(stage):
    stage.home.forget()  # the first start saves its settings after it has finished its initial work
    with stage.start() as program:
        program.until(lambda r: stage.home.settings.exists(), "the first save")
        for situation in ("untouched", "in the text field"):
            if situation == "in the text field":
                program.click("text", 0.1)
            program.settled()
            before, frame = program.processor_time(), program.settled()["frame"]
            time.sleep(3)  # the elapsed time itself is measured
            used, drawn = program.processor_time() - before, program.settled()["frame"] - frame
            expect(used <= 0.03, f"{used:.2f} s of processor time in 3 s, {situation}")
            expect(drawn == 0, f"{drawn} frames while nothing moved, {situation}")
