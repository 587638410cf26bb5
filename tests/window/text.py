"""The text field: typing in two languages on four keyboards and with an input method, what is stored, long texts."""

from hands import document_of, expect
from hands.composing import input_method

SENTENCE = "hello brave new world"


def types_english(stage):
    with stage.start() as program:
        seen = program.write(SENTENCE)
        expect(seen["tokens"] == SENTENCE.split(), f"tokens {seen['tokens']}")
        expect(seen["error"] is None, f"error {seen['error']}")


def types_chinese(stage):
    with stage.start() as program:
        seen = program.write("早上好")  # the opening's model has a vocabulary of words
        expect(seen["tokens"] == ["早上", "好"], f"tokens {seen['tokens']}")
    with stage.open(text="你", variant="raw") as program:
        seen = program.write("早上好")
        expect(seen["tokens"] == ["早", "上", "好"], f"tokens {seen['tokens']}")


def deletes_everything_and_goes_on(stage):
    with stage.start() as program:
        program.click("text", 0.1)
        program.until(lambda r: r["typing"], "the caret in the text")
        program.tap("ctrl+a")
        program.key("BackSpace", lambda r: r["tokens"] == [], "no tokens")
        program.type("again")
        program.until(lambda r: r["tokens"] == ["again"], "the new text")


def letters_typed_are_no_keys(stage):
    with stage.start() as program:
        before = program.settled()
        seen = program.write("a b c")
        expect(not seen["playing"] and seen["stop"] == before["stop"], "Space played while text was typed")


def undoes_and_redoes(stage):
    with stage.start() as program:
        first = program.settled()["text"]
        program.write("undo me")
        program.leave_field()
        program.key("ctrl+z", lambda r: r["text"] == first and r["can_redo"], "the first text")
        program.key("ctrl+y", lambda r: r["text"] == "undo me", "the typed text")
        program.click("undo")
        program.until(lambda r: r["text"] == first, "the first text, by its button")


# The keys to press on each keyboard layout, named by their labels without Shift.
KEYBOARDS = {
    "us": {},
    "fr": {"0": "agrave", "?": "shift+comma"},
    "de": {"+": "plus", "?": "shift+ssharp"},
    "ru": {"a": "Cyrillic_ef", "m": "Cyrillic_softsign", "y": "Cyrillic_en", "z": "Cyrillic_ya", "?": "shift+7"},
}
US_KEYS = {"+": "equal", "-": "minus", "?": "shift+slash"}


def works_on_every_keyboard(stage):
    """The shortcuts of the program and of the text field follow the labels of the keys, or the keys' positions where these
    have no letters."""
    with stage.start("the tired cat") as program:
        program.resize(800, 600)
        for name, keys in KEYBOARDS.items():
            program.layout(name)

            def key(sign, holds, what, held="", on=name, cap=keys):
                program.key(held + cap.get(sign, US_KEYS.get(sign, sign)), holds, f"{what} on {on}")

            program.click("text", 0.1)
            program.until(lambda r: r["typing"], "the caret in the text")
            program.tap("ctrl+" + keys.get("a", "a"))
            program.key("BackSpace", lambda r: r["tokens"] == [], f"all selected on {name}")
            key("z", lambda r: r["text"] == "the tired cat", "the field's undo", "ctrl+")
            key("y", lambda r: r["tokens"] == [], "the field's redo", "ctrl+")
            program.key("Escape", lambda r: not r["typing"], "no caret")
            key("z", lambda r: r["text"] == "the tired cat", "undo", "ctrl+")
            key("+", lambda r: r["scale"] > 1, "a larger interface", "ctrl+")
            key("0" if name == "fr" else "-", lambda r: r["scale"] == 1, "the usual size", "ctrl+")
            key("m", lambda r, still=program.settled()["still"]: r["still"] != still, "motion switched")
            key("?", lambda r: r["sheet"] == "help", "the help")
            program.key("Escape", lambda r: r["sheet"] == "none", "no sheet")


def composes_chinese(stage):
    """Keys consumed by an input method do not reach the text; the characters it composes do; shortcuts keep working."""
    def press(program, *keys):
        for key in keys:
            program.tap(key)

    with input_method(stage) as found, stage.start("the tired cat", **found) as program:
        program.click("text", 0.1)
        program.until(lambda r: r["typing"], "the caret in the text")
        program.tap("ctrl+a")
        press(program, "n", "i")
        program.key("space", lambda r: r["text"] == "你", "the first character in place of the text")
        press(program, "h", "a", "i", "BackSpace", "o")
        program.key("space", lambda r: r["text"] == "你好", "Backspace took a letter of what was composed")
        press(program, "x", "y", "BackSpace", "BackSpace")
        program.key("BackSpace", lambda r: r["text"] == "你", "Backspace for the text once nothing is composed")
        press(program, "m", "a", "Escape", "h", "a", "o")
        program.key("space", lambda r: r["text"] == "你好" and r["typing"], "Escape dropped the letters alone")
        program.key("ctrl+z", lambda r: r["text"] == "你", "the field's undo")
        program.tap_at_once("shift+a", "shift+b", "BackSpace")  # before the input method has answered the first
        program.until(lambda r: r["text"] == "你A" and r["settled"], "a letter that was deleted in a frame that takes long")
        program.key("Escape", lambda r: not r["typing"], "no caret")


def keeps_what_the_field_cannot_show(stage):
    """Characters beyond U+FFFF and line feeds are preserved when the text around them is edited; pasted lines become one."""
    kept = "👍 𠮷野家 good\nand so on"
    with stage.open(text=kept, variant="raw") as program:
        program.click("text", 0.1)
        program.until(lambda r: r["typing"], "the caret in the text")
        program.tap("End")
        program.type(" x")
        program.until(lambda r: r["text"] == kept + " x" and r["settled"], "the old text and what was typed")
        program.tap("Home")
        program.type("🐱", 2000)
        program.until(lambda r: r["text"] == "🐱" + kept + " x", "a character beyond U+FFFF that is typed")
        program.tap("ctrl+a")
        program.copy_elsewhere("The quick\nbrown fox\tjumps\r\nover 👍")
        program.key("ctrl+v", lambda r: r["text"] == "The quick brown fox jumps over 👍", "the pasted lines as one")
        program.tap("ctrl+a")
        program.tap("ctrl+c")
        expect(program.clipboard() == "The quick brown fox jumps over 👍", f"copied {program.clipboard()!r}")
        program.leave_field()
        program.copy_elsewhere("𠮷 家")
        program.key("ctrl+v", lambda r: r["text"] == "𠮷 家", "what was pasted outside of the field")
        program.quit()
    with stage.start() as program:
        expect(program.settled()["text"] == "𠮷 家", "not the text again")


def types_the_second_text(stage):
    with stage.open(text="early morning", variant="cross", source="good day") as program:
        program.click("source", 0.6)
        program.until(lambda r: r["typing"], "the caret in the second text")
        program.tap("ctrl+a")
        program.type("one two")
        seen = program.until(lambda r: document_of(r).get("source") == "one two" and r["settled"], "the second text")
        expect(seen["error"] is None, f"error {seen['error']}")


def looks_at_a_long_text(stage):
    """4,096 tokens from a file: the wheel, dragging, finding a token and a row, and both kinds of pooling."""
    words = "the tired cat sat down and then slept all night long".split()
    text = " ".join("lighthouse" if i % 300 == 299 else words[i * 7 % len(words)] for i in range(4096))
    with stage.open(text=text, weights="random", mask="causal") as program:
        seen = program.until(lambda r: len(r["tokens"]) == 4096 and r["settled"], "the long text")
        expect(seen["error"] is None, f"error {seen['error']}")
        program.go_to("scores")
        whole = program.settled()["map"]["zoom"]
        expect(whole == 1, f"zoom {whole}")
        program.wheel("cell_map", 4)
        closer = program.until(lambda r: r["map"]["zoom"] > 2, "a closer look")
        x, y = program.place("cell_map", 0.5, 0.5)
        program.drag("cell_map", (0.5, 0.5), (0.5, 0.2))
        moved = program.until(lambda r: r["map"]["row"] > closer["map"]["row"] + 0.01, "the matrix moved up")
        expect(moved["pinned"] is None, "a drag is no click")
        program.key("x", lambda r: r["pooling"] == "largest", "the largest of each pixel's cells")
        program.key("0", lambda r: r["map"]["zoom"] == 1, "the whole")
        program.key("ctrl+f", lambda r: r["search"]["open"] and r["typing"], "the field")
        program.type("lighthouse")
        found = program.until(lambda r: r["found"] == 13, "the lighthouses")
        program.key("Return", lambda r: r["pinned"] and r["pinned"]["row"] == 300, "the first of them")
        program.key("Return", lambda r: r["pinned"]["row"] == 600, "the second")
        program.key("Escape", lambda r: not r["search"]["open"], "no field")
        program.key("ctrl+g", lambda r: r["search"]["open"] and r["typing"], "the field for a row")
        program.type("2500")
        program.key("Return", lambda r: r["pinned"]["row"] == 2500, "row 2500")
        program.key("Escape", lambda r: not r["search"]["open"], "no field again")
        program.rests()
