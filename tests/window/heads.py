"""The heads screen, and heads that are switched off."""

from hands import document_of, expect


def follows_lines_between_tokens(stage):
    with stage.open(text="the tired cat sat down", weights="random", heads=2) as program:
        program.resize(1440, 900)
        program.key("F10", lambda r: r["screen"] == "heads" and r["heads"]["page"] in ("", "lines"), "the lines")
        program.click("query_1")
        program.until(lambda r: len(r["heads"]["queries"] + r["heads"]["keys"]) == 1, "a picked query")
        program.click("key_3")
        program.until(lambda r: len(r["heads"]["queries"] + r["heads"]["keys"]) == 2, "a picked key as well")
        program.click("lit_head_2")
        program.until(lambda r: r["head"] == 2, "head 2 alone")
        program.key("l", lambda r: r["heads"]["matrix"], "the same as a heatmap")
        program.click("map0_1_2")
        seen = program.until(lambda r: r["pinned"], "a pinned weight")
        expect((seen["pinned"]["row"], seen["pinned"]["column"]) == (2, 3), f"pinned {seen['pinned']}")
        program.key("F2", lambda r: r["screen"] == "stage", "the stage")
        program.key("F10", lambda r: r["screen"] == "heads", "the heads again")
        seen = program.settled()
        expect(seen["heads"]["matrix"] and len(seen["heads"]["queries"] + seen["heads"]["keys"]) == 2, "the choice did not outlive the stage")


def ranks_heads_by_what_they_do(stage):
    with stage.open(text="the river", model="language") as program:
        program.resize(1440, 900)
        program.key("F10", lambda r: r["screen"] == "heads", "the heads")
        program.click("heads_page.2")
        program.until(lambda r: r["heads"]["page"] == "ranked" and r["settled"], "the table")
        program.click("ranked_on.1")
        program.until(lambda r: r["heads"]["repeated"] and r["settled"], "random words, repeated")
        program.click("rank_by_previous")
        program.until(lambda r: r["heads"]["role"] == "previous" and r["settled"], "sorted by the token before")
        program.click("ranked_1")
        chosen = program.until(lambda r: r["playhead"]["step"].endswith(f"weights.h{r['head']}"), "the first head, for every screen")
        program.write("小猫看见老鼠因为它饿了")
        program.until(lambda r: r["text"].endswith("饿了") and r["error"] is None and r["settled"], "a sentence in Chinese")
        expect(program.settled()["head"] == chosen["head"], "another head after another text")
        program.tap("ctrl+a")
        program.key("BackSpace", lambda r: r["text"] == "" and r["error"] is None and r["settled"], "an empty field")


def locks_a_head_in_the_grid(stage):
    with stage.open(text="the tired cat", weights="random", heads=4) as program:
        program.resize(1440, 900)
        program.key("F10", lambda r: r["screen"] == "heads", "the heads")
        program.settled()
        program.key("F10", lambda r: r["heads"]["page"] == "grid", "the grid")
        program.click("tile_0_2")
        program.until(lambda r: r["head"] == 3, "head 3, on the stage as well")


def takes_a_score_apart(stage):
    with stage.open(text="the tired cat", weights="random") as program:
        program.resize(1440, 900)
        program.click("screen.4")
        program.until(lambda r: r["screen"] == "heads", "the heads, by their tab")
        program.click("heads_page.4")
        program.until(lambda r: r["heads"]["page"] == "neuron", "the neurons")
        program.click("neuron_query_2")
        seen = program.until(lambda r: r["pinned"], "a pinned pair")
        expect(seen["pinned"]["row"] == 3, f"pinned {seen['pinned']}")


def drags_an_arrow(stage):
    with stage.open(text="the tired cat", weights="random") as program:
        program.resize(1440, 900)
        program.key("F10", lambda r: r["screen"] == "heads", "the heads")
        program.click("heads_page.5")
        program.until(lambda r: r["heads"]["page"] == "plane", "the plane")
        before = document_of(program.settled())
        x, y = program.place("tip_0")
        program.move(x, y)
        program.act("mousedown", "1")
        for step in (20, 40, 60):
            program.move(x + step, y + step // 2)
        program.act("mouseup", "1")
        seen = program.until(lambda r: len(document_of(r).get("edits", [])) > 0, "numbers that went with the arrow")
        expect(seen["error"] is None, f"error {seen['error']}")
        program.key("ctrl+z", lambda r: document_of(r) == before, "all of it undone at once")


def switches_a_head_off(stage):
    with stage.open(text="the tired cat", weights="random", heads=2) as program:
        program.click("settings_group.4")  # the group of the heads
        program.click("head_2")
        program.until(lambda r: document_of(r).get("heads_off") == [2], "head 2 off")
        program.click("head_2")
        program.until(lambda r: "heads_off" not in document_of(r), "head 2 on")
