"""One number: a cell is selected, explained, followed and typed over; the mask; the score."""

from hands import document_of, expect


def picks_a_cell(stage):
    with stage.open(text="the tired cat", variant="raw") as program:
        program.key("End", lambda r: r["stop"] == r["stops"] - 1, "the last step")
        program.click("cell_1_2")
        seen = program.until(lambda r: r["pinned"], "a pinned cell")
        expect(seen["pinned"] == {"step": seen["step"], "row": 2, "column": 3}, f"pinned {seen['pinned']}")
        program.key("alt+Down", lambda r: r["pinned"]["row"] == 3, "the cell below")
        program.key("Escape", lambda r: r["pinned"] is None, "nothing pinned")


def replays_the_cell_that_is_pinned(stage):
    """A click explains a number and clears nothing; R repeats its animation."""
    with stage.open(text="the tired cat", variant="raw") as program:
        program.go_to("scores")
        program.click("cell_1_2")
        seen = program.until(lambda r: r["pinned"] and r["settled"], "a pinned cell")
        expect(not seen["playing"] and seen["progress"] == 1, "the matrix was emptied by a click")
        program.key("r", lambda r: r["playing"] and r["progress"] < 0.5, "the cell's motion from its beginning")
        # The frame in which playback ends still shows the moment before.
        seen = program.until(lambda r: not r["playing"] and r["progress"] == 1, "its end")
        expect(seen["step"] == "scores", f"ended at {seen['step']}")
        expect(seen["pinned"] == {"step": "scores", "row": 2, "column": 3}, f"pinned {seen['pinned']}")


def lights_the_source_of_a_number_in_the_formula(stage):
    with stage.open(text="the tired cat", variant="raw") as program:
        program.go_to("scores")
        program.key("m", lambda r: r["still"], "no motion")
        program.click("cell_1_2")
        program.until(lambda r: r["pinned"], "a pinned cell")
        program.move(*program.place("formula_n0"))
        seen = program.until(lambda r: r["lit"], "a lit source")
        expect(seen["lit"]["row"] == 2 and seen["lit"]["column"] == 1, f"lit {seen['lit']}")
        expect(seen["pinned"]["row"] == 2 and seen["pinned"]["column"] == 3, "the formula went with the pointer")
        program.move(5, 5)
        program.until(lambda r: r["lit"] is None, "no source lit")


def pins_a_cell_on_a_face_of_the_cube(stage):
    with stage.open(text="the tired cat", variant="raw") as program:
        program.go_to("scores")
        program.key("v", lambda r: r["cube"], "the cube")
        program.click("face_embeddings_1_0")
        program.until(lambda r: r["pinned"] == {"step": "embeddings", "row": 2, "column": 1}, "a cell of the wall")
        program.click("cell_2_1")
        program.until(lambda r: r["pinned"] == {"step": "scores", "row": 3, "column": 2}, "a cell of the back")
        program.click("cube")
        program.until(lambda r: not r["cube"], "the flat picture")


def types_a_number_over_a_cell(stage):
    with stage.open(text="the tired cat", variant="raw") as program:
        program.go_to("scores")
        program.click("cell_1_2")
        program.until(lambda r: r["pinned"], "a pinned cell")
        program.key("Return", lambda r: r["typing"], "the number field")
        program.type("3.5")
        seen = program.key("Return", lambda r: document_of(r).get("edits"), "a number typed over")
        expect(document_of(seen)["edits"] == [{"step": "scores", "row": 2, "column": 3, "value": 3.5}],
               f"edits {document_of(seen)['edits']}")
        program.settled()
        program.key("d", lambda r: r["difference"], "what changed")
        program.key("d", lambda r: not r["difference"], "the numbers")
        program.key("ctrl+z", lambda r: "edits" not in document_of(r), "the computed number")
        program.key("ctrl+y", lambda r: document_of(r).get("edits"), "the typed number again")


def paints_a_rectangle_of_the_mask(stage):
    with stage.open(text="the tired cat sat down", variant="raw", mask="causal") as program:
        program.go_to("masked")
        there = program.place("cell_2_3")
        program.move(*program.place("cell_0_1"))
        program.act("mousedown", "1")
        program.move(*there)
        program.act("mouseup", "1")
        seen = program.until(lambda r: document_of(r).get("mask") == "drawn", "a drawn mask")
        pattern = document_of(seen)["mask_pattern"]
        expect(pattern == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]],
               f"pattern {pattern}")
        program.key("ctrl+z", lambda r: document_of(r).get("mask") == "causal", "the causal mask")


def chooses_a_score(stage):
    with stage.open(text="the tired cat", variant="raw") as program:
        before = document_of(program.settled()).get("score")
        program.click("score")
        program.click("score.1")
        seen = program.until(lambda r: document_of(r).get("score") not in (None, before), "another score")
        expect(seen["error"] is None, f"error {seen['error']}")
