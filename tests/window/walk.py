"""Time: playing, stepping, scrubbing."""

from hands import expect


def plays_and_pauses(stage):
    with stage.start() as program:
        start = program.settled()["time"]
        program.key("space", lambda r: r["playing"], "playing")
        program.until(lambda r: r["time"] > start + 1, "time to pass")
        program.key("space", lambda r: not r["playing"], "a pause")
        at = program.settled()["time"]
        program.move(5, 300)
        expect(program.settled()["time"] == at, "time goes on while it pauses")
        program.click("play")
        program.until(lambda r: r["playing"], "playing, by its button")


def steps_both_ways(stage):
    with stage.start() as program:
        last = program.settled()["stops"] - 1
        program.key("Home", lambda r: r["stop"] == 0, "the first step")
        program.key("Right", lambda r: r["stop"] >= 1, "the next step")
        program.key("End", lambda r: r["stop"] == last, "the last step")
        program.key("Left", lambda r: r["stop"] == last - 1, "the step before")
        program.key("Home", lambda r: r["stop"] == 0, "the first step again")
        program.click("forward")
        program.until(lambda r: r["stop"] == 1, "the next step, by its button")
        program.click("back")
        program.until(lambda r: r["stop"] == 0, "the step before, by its button")


def scrubs_the_timeline(stage):
    with stage.start() as program:
        length = program.settled()["length"]
        program.click("timeline", 0.5)
        program.until(lambda r: 0.3 * length < r["time"] < 0.7 * length, "the middle")
        program.drag("timeline", 0.5, 0.9)
        seen = program.until(lambda r: r["time"] > 0.75 * length, "near the end")
        program.drag("timeline", 0.9, 0.1)
        program.until(lambda r: r["time"] < seen["time"] and r["time"] < 0.3 * length, "near the beginning")


def chooses_a_step_from_the_list(stage):
    with stage.start() as program:
        program.click("section_3")  # the weights
        program.until(lambda r: r["step"] in ("weights.h1", "scaled.h1", "scores.h1"), "the step of the list")


def changes_the_head(stage):
    document = stage.home.path / "heads.json"
    document.write_text('{"text": "a b c", "variant": "multi_head", "heads": 4, "weights": "random"}', encoding="utf-8")
    with stage.start(str(document)) as program:
        program.key("Down", lambda r: r["head"] == 2, "head 2")
        program.key("Up", lambda r: r["head"] == 1, "head 1")
        seed = program.settled()["weight_seed"]
        program.key("F9", lambda r: r["weight_seed"] != seed, "other random numbers")
