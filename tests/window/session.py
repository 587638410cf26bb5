"""What a start restores and an exit saves: language, command line, home folder, signals, a missing display."""

import resource
import signal
from pathlib import Path

from hands import Failed, Program, display, expect


def opens_on_an_example_in_the_language_of_the_environment(stage):
    with stage.start() as program:
        first = program.settled()
        expect(first["language"] == "en" and first["text"].isascii() and first["tokens"], f"not English: {first['text']}")
        expect(first["notice"] == "", f"a notice at the first start: {first['notice']}")
    with stage.start("--no-restore", LANG="zh_CN.UTF-8") as program:
        first = program.settled()
        expect(first["language"] == "zh" and "喜欢" in first["text"], f"not Chinese: {first['text']}")


def opens_what_the_command_line_says(stage):
    document = stage.home.path / "chapter.json"
    document.write_text('{"text": "a b c", "variant": "multi_head", "heads": 2}', encoding="utf-8")
    with stage.start("--language", "zh", "--theme", "dark", str(document)) as program:
        seen = program.settled()
        expect((seen["text"], seen["head_count"]) == ("a b c", 2), "not the document")
        expect((seen["language"], seen["theme"]) == ("zh", "dark"), "not the language and the theme")
    with stage.start("早上好", "朋友") as program:
        expect(program.settled()["text"] == "早上好 朋友", "not the words")


def comes_back_as_it_was_left(stage):
    with stage.start() as program:
        program.write("back again")
        program.leave_field()
        program.key("F7", lambda r: r["language"] == "zh", "Chinese")
        program.settled()
        program.key("F6", lambda r: r["theme"] == "dark", "the dark theme")
        program.settled()
        program.key("End", lambda r: r["stop"] == r["stops"] - 1, "the last step")
        program.click("cell_0_1")
        program.until(lambda r: r["pinned"], "a pinned cell")
        left = program.resize(1300, 800)
        expect(program.quit() == 0, "quitting failed")
    with stage.start() as program:
        seen = program.settled()
        for what in ("text", "tokens", "language", "theme", "step", "stop", "pinned", "window", "notice"):
            expect(seen[what] == left[what], f"{what} was {left[what]}, is {seen[what]}")


def is_saved_when_it_is_told_to_end(stage):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        text = f"ended by {number.value}"
        with stage.start() as program:
            program.write(text)
            expect(program.signal(number) == 0, f"signal {number.value} is not a clean end")
        with stage.start() as program:
            expect(program.settled()["text"] == text, "the text is lost")


def is_saved_before_it_is_killed(stage):
    with stage.start() as program:
        program.write("not lost")
        program.until(lambda r: stage.home.last.exists() and "not lost" in stage.home.last.read_text(), "the autosave")
        program.kill()
    with stage.start() as program:
        expect(program.settled()["text"] == "not lost", "the text is lost")


def says_where_the_document_is_when_it_crashes(stage):
    """A fault in a library is simulated by a signal from outside; the exit status is that of the signal."""
    for fault in (signal.SIGSEGV, signal.SIGABRT):
        with stage.start() as program:
            program.write(f"kept {int(fault)}")
            program.until(lambda r: stage.home.last.exists() and f"kept {int(fault)}" in stage.home.last.read_text(), "the autosave")
            program.process.send_signal(fault)
            expect(program.ends() == -fault, f"the status is not the signal's: {program.process.poll()}")
            said = program.complaint()
            expect("a fault ended the program" in said and f"is in {stage.home.last} and comes back" in said, f"said: {said}")
    with stage.start() as program:
        expect(program.settled()["text"] == f"kept {int(signal.SIGABRT)}", "the text is lost")


def saves_when_the_display_goes(stage):
    server = display()
    program = Program(stage.binary, stage.home, server.__enter__())
    try:
        program.write("kept to the last word")
    finally:
        server.__exit__(None, None, None)
    with program:
        expect(program.ends() == 4, "the exit status is not that of a missing display")
        said = program.complaint()
    expect("the display has gone" in said and "the document is saved" in said, f"said: {said}")
    expect("kept to the last word" in stage.home.last.read_text(), "the last words are lost")


def loses_nothing_when_memory_is_refused(stage):
    """With little more memory than it has, the program continues or ends with an error message; what was typed is saved
    either way. A software renderer that is refused memory may end the program by a signal, after the message as well: what
    was typed in the last two seconds may then be missing, as the message says, and nothing else."""
    long_text = "the cat sat on the mat and the dog saw a bird in the old house near the river " * 60
    on_disk = lambda word: stage.home.last.exists() and word in stage.home.last.read_text()
    for spare, saved_before in ((20, False), (80, True)):
        with stage.start(long_text) as program:
            program.click("text", 0.1)  # and types after the long text, which must stay so that there is work to do
            program.until(lambda r: r["typing"], "the caret in the text")
            program.tap("End")
            program.type(" begun")
            program.until(lambda r: r["text"] == long_text + " begun" and r["settled"], "what was typed")
            if saved_before:
                program.until(lambda r: on_disk("begun"), "what was typed on the disk")
            fields = Path(f"/proc/{program.process.pid}/statm").read_text().split()
            most = int(fields[0]) * resource.getpagesize() + spare * 1_000_000
            resource.prlimit(program.process.pid, resource.RLIMIT_AS, (most, most))
            try:
                program.tap("F10")
                program.settled()
                program.write("kept")
                program.until(lambda r: on_disk("kept"), "what was typed on the disk")
            except Failed as failure:  # it read the program's last output
                ended, said = program.ends(), f"{failure}{program.complaint()}"
                expect(ended in (1, -signal.SIGSEGV), f"it ended with {ended} for want of memory")
                sentence = "the document is saved" if ended == 1 else f"is in {stage.home.last} and comes back"
                expect(sentence in said, f"it ended without a sentence: {said}")
                may_be_older = ended != 1 and not saved_before
                expect(on_disk("begun") or (may_be_older and on_disk("the old house")), "the text is lost")


def sets_a_corrupt_document_aside(stage):
    stage.home.last.parent.mkdir(parents=True)
    stage.home.last.write_text("{ this is no document", encoding="utf-8")
    with stage.start() as program:
        seen = program.settled()
        expect("last.json.bad" in seen["notice"] and seen["tokens"], f"notice {seen['notice']!r}")
        expect(program.quit() == 0, "quitting failed")
    expect(Path(str(stage.home.last) + ".bad").read_text() == "{ this is no document", "the bad file is not kept")


def runs_without_a_home(stage):
    with stage.start(HOME=None) as program:
        expect("HOME" in program.settled()["notice"], "no notice")
        program.write("works all the same")
        expect(program.quit() == 0, "quitting failed")


def runs_with_a_file_for_a_settings_folder(stage):
    stage.home.forget()
    stage.home.settings.parent.parent.write_text("in the way", encoding="utf-8")
    with stage.start() as program:
        program.until(lambda r: r["notice"] != "", "a notice")
        expect(program.quit() == 0, "quitting failed")
    expect(stage.home.settings.parent.parent.read_text() == "in the way", "the file was touched")


def says_what_is_missing_without_a_display(stage):
    status, said = stage.run_to_end(None)
    expect(status == 4, f"exit status {status}")
    expect("display" in said and "attenscope render" in said, f"said: {said}")
    status, said = stage.run_to_end(":9999")
    expect(status == 4 and said, f"with a wrong display: {status} {said}")


def says_what_is_missing_without_glx(stage):
    with display("-extension", "GLX") as bare:
        status, said = stage.run_to_end(bare)
    expect(status == 4, f"exit status {status}")
    expect("OpenGL" in said, f"said: {said}")
