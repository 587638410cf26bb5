"""The course: studied alone, presented with a clicker, and chapters that users write."""

import re
import subprocess
import time

from hands import expect, has_widget


def open_chapter(program, name):
    """Opens a chapter from the list, scrolling to it if necessary; the second click on its card opens it."""
    program.key("ctrl+b", lambda r: r["sheet"] == "chapters", "the chapters")
    for _ in range(10):
        if has_widget(program.settled(), f"chapter.{name}"):
            break
        program.wheel("chapters.scroll", -4)
    program.click(f"chapter.{name}")
    program.settled()
    program.click(f"chapter.{name}")


def reads_the_notes_beside_the_class(stage):
    with stage.start("--notes") as program:
        open_chapter(program, "many-heads")
        program.until(lambda r: r["course"]["page"] == 1, "the first page")
        program.settled()
        program.key("F5", lambda r: r["present"]["on"], "the presentation")
        program.settled()
        program.key("Next", lambda r: r["course"]["shown"] == 2 or r["course"]["page"] == 2, "something new")
        program.settled()
        program.quit()
        printed = program.process.stdout.read().decode()
    places = re.findall("page ([0-9]+) of [0-9]+", printed)
    expect(places and places[0] == "1", f"the notes of page 1 are not there: {printed[:300]}")
    expect(re.search("On screen: [0-9]+ of [0-9]+ paragraphs", printed), f"nothing on what the class sees: {printed[:600]}")
    expect("Next: " in printed, "the next page is not named")
    expect(chr(92) not in printed, "mathematics as it is written, not as it is read")


OWN_CHAPTER = """id = "mine"
title = {{ en = "Mine", zh = "我的" }}
[[page]]
id = "one"
title = {{ en = "One", zh = "一" }}
show = "weights"
set = {{ variant = "raw", text = "{text}" }}
en = "There are {{n}} words."
zh = "共 {{n}} 个词。"
"""


def sees_edits_of_a_chapter_of_ones_own(stage):
    file = stage.home.path / "mine.toml"
    file.write_text(OWN_CHAPTER.format(text="cat sat"), encoding="utf-8")
    with stage.start("--chapter", str(file)) as program:
        program.until(lambda r: r["course"]["chapter"] == "mine" and r["text"] == "cat sat", "the chapter that was named")
        file.write_text(OWN_CHAPTER.format(text="dogs bark loudly"), encoding="utf-8")
        program.until(lambda r: r["text"] == "dogs bark loudly", "what was saved")
        file.write_text("id = [", encoding="utf-8")
        seen = program.until(lambda r: r["notice"], "a sentence about the mistake")
        expect("mine.toml" in seen["notice"] and "1" in seen["notice"], f"the place is not said: {seen['notice']}")
        file.write_text(OWN_CHAPTER.format(text="birds sing"), encoding="utf-8")
        program.until(lambda r: r["text"] == "birds sing" and not r["notice"], "the mended chapter")


def finds_chapters_in_ones_own_folder(stage):
    folder = stage.home.path / ".local/share/attenscope/chapters"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(OWN_CHAPTER.format(text="cat sat"), encoding="utf-8")
    with stage.start() as program:
        open_chapter(program, "mine")
        program.until(lambda r: r["course"]["chapter"] == "mine" and r["text"] == "cat sat", "the chapter of one's own")
        time.sleep(1)  # the file is checked twice a second
        (folder / "mine.toml").write_text(OWN_CHAPTER.format(text="dogs bark"), encoding="utf-8")
        program.until(lambda r: r["text"] == "dogs bark", "what was saved")


def presents_with_a_clicker(stage):
    with stage.open(text="the tired cat", variant="multi_head", weights="random") as program:
        program.tap("Home")
        program.key("F5", lambda r: r["present"]["on"] and r["full_screen"], "the presentation")
        program.key("Next", lambda r: r["stop"] == 1 and not r["playing"], "the next step, finished")
        program.key("b", lambda r: r["present"]["blank"], "a dark screen")
        program.key("Prior", lambda r: not r["present"]["blank"] and r["stop"] == 1, "the same step again")
        program.key("Prior", lambda r: r["stop"] == 0, "the step before")
        program.tap("p")
        program.drag("pen", 0.3, 0.6)
        program.until(lambda r: r["present"]["strokes"] == 1, "a stroke of the pen")
        program.key("ctrl+shift+l", lambda r: r["done"], "a copied link, reported at the foot")
        program.until(lambda r: not r["done"], "the note gone by itself, with nobody at the keys")
        program.key("Escape", lambda r: not r["present"]["on"] and not r["full_screen"], "the desk again")
        expect(program.settled()["screen"] == "stage", "it did not come back to the stage")


def studies_a_chapter(stage):
    with stage.start() as program:
        open_chapter(program, "softmax-xxt-x")
        program.until(lambda r: r["course"]["chapter"] == "softmax-xxt-x" and r["course"]["page"] == 1, "the first page")
        expect(program.settled()["variant"] == "raw", "the page's document did not come")
        for page in range(2, 3):
            program.key("Next", lambda r, page=page: r["course"]["page"] == page, f"page {page}")
        # A wrong answer, then another try.
        program.settled()
        program.click("course.number")
        program.until(lambda r: r["typing"], "the field for the number")
        program.type("0.5")
        program.settled()
        program.click("course.check")
        program.until(lambda r: r["course"]["answered"] == "wrong", "a wrong answer")
        program.settled()
        program.wheel("course", -20)
        program.settled()
        program.click("course.again")
        program.until(lambda r: r["course"]["answered"] == "", "another try")
        # The user's own text stays on the next page; the page's own numbers are one key away.
        program.write("birds sing at dawn")
        program.leave_field()
        program.key("Next", lambda r: r["course"]["page"] == 3 and r["text"] == "birds sing at dawn", "the learner's own text")
        program.key("F7", lambda r: r["language"] == "zh", "Chinese in the middle of it")
        program.key("ctrl+r", lambda r: r["text"] == "鸟在天上飞", "the page's own numbers")
        program.key("ctrl+z", lambda r: r["text"] == "birds sing at dawn", "the learner's text again")
        program.key("Next", lambda r: r["course"]["page"] == 4, "the next page")
        program.settled()
        expect(program.quit() == 0, "quitting failed")
    with stage.start() as program:
        seen = program.settled()
        expect(seen["course"]["chapter"] == "softmax-xxt-x" and seen["course"]["page"] == 4, f"left on page 4, came back on {seen['course']['page']}")
        for page in range(5, 12):
            program.key("Next", lambda r, page=page: r["course"]["page"] == page, f"page {page}")


def pages_of_the_lesson(stage, minutes):
    """The chapters of a lesson's pages, as the command lists them."""
    listed = subprocess.run([stage.binary, "chapter", "list", "--route", str(minutes)], capture_output=True, text=True, check=True).stdout
    return [line.split()[0].split("/")[0] for line in listed.splitlines()[1:]]


def walks_a_lesson_through(stage, language):
    chapters = pages_of_the_lesson(stage, 45)
    with stage.start() as program:
        if language != program.settled()["language"]:
            program.key("F7", lambda r: r["language"] == language, "the other language")
        program.key("ctrl+b", lambda r: r["sheet"] == "chapters", "the chapters")
        program.click("lessons")
        program.settled()
        program.click("lesson.45")
        program.until(lambda r: r["course"]["lesson"] == 1 and r["course"]["chapter"] == chapters[0], "the first page of the lesson")
        program.settled()
        program.key("F5", lambda r: r["present"]["on"], "the presentation")
        seen, clicks = {}, 0
        while (before := program.settled())["course"]["lesson"] <= len(chapters) and clicks < 300:
            seen[before["course"]["lesson"]] = before["course"]["chapter"]
            state = (before["course"]["lesson"], before["course"]["shown"], before["asking"])
            program.key("Next", lambda r, state=state: (r["course"]["lesson"], r["course"]["shown"], r["asking"]) != state, "something new")
            clicks += 1
        expect([seen.get(i + 1) for i in range(len(chapters))] == chapters, f"the clicker walked {seen}, the lesson is {chapters}")
        program.key("Prior", lambda r: r["course"]["lesson"] == len(chapters), "the last page again")
        program.key("Escape", lambda r: not r["present"]["on"], "the desk again")


def goes_on_with_the_lesson_after_a_restart(stage):
    """A lesson is started from the palette by its name, left on its third page, and resumed there."""
    chapters = pages_of_the_lesson(stage, 45)
    with stage.start() as program:
        program.settled()
        program.key("ctrl+k", lambda r: r["sheet"] == "palette", "the palette")
        program.type("45 minutes")
        program.key("Return", lambda r: r["course"]["lesson"] == 1 and r["course"]["chapter"] == chapters[0], "the first page of the lesson")
        program.settled()
        program.key("F5", lambda r: r["present"]["on"], "the presentation")
        clicks = 0
        while (before := program.settled())["course"]["lesson"] < 4 and clicks < 60:
            state = (before["course"]["lesson"], before["course"]["shown"], before["asking"])
            program.key("Next", lambda r, state=state: (r["course"]["lesson"], r["course"]["shown"], r["asking"]) != state, "something new")
            clicks += 1
        program.key("Escape", lambda r: not r["present"]["on"], "the desk again")
        left = program.settled()["course"]
        expect(program.quit() == 0, "quitting failed")
    with stage.start() as program:
        seen = program.settled()["course"]
        expect((seen["chapter"], seen["page"], seen["lesson"]) == (left["chapter"], left["page"], 4), f"left {left}, is {seen}")


def walks_a_lesson_in_english(stage):
    walks_a_lesson_through(stage, "en")


def walks_a_lesson_in_chinese(stage):
    walks_a_lesson_through(stage, "zh")


def teaches_with_a_clicker(stage):
    with stage.start() as program:
        open_chapter(program, "many-heads")
        program.until(lambda r: r["course"]["chapter"] == "many-heads" and r["course"]["page"] == 1, "the first page")
        program.settled()
        program.key("F5", lambda r: r["present"]["on"], "the presentation")
        pages, clicks = 1, 0
        while pages < 15 and clicks < 150:
            before = program.settled()
            state = (before["course"]["page"], before["course"]["shown"])
            program.key("Next", lambda r, state=state: (r["course"]["page"], r["course"]["shown"]) != state, "something new")
            pages, clicks = max(pages, program.settled()["course"]["page"]), clicks + 1
        expect(pages == 15, f"the clicker came to page {pages} only")
        program.key("Escape", lambda r: not r["present"]["on"], "the desk again")
        expect(program.settled()["course"]["chapter"] == "many-heads", "the chapter was lost when leaving")
