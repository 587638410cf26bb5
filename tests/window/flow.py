"""The flow of a block, and the tower of a model."""

from hands import expect, has_widget


def enters_a_matrix_of_the_flow(stage):
    with stage.open(text="the tired cat", variant="multi_head", heads=2, weights="random") as program:
        program.key("F8", lambda r: r["screen"] == "flow" and not r["passing"], "the flow")
        # Any word can be the query: by a click, and continuously while the pointer is dragged.
        program.click("flow_ask_1")
        program.until(lambda r: r["flow"]["asked"] == 1 and r["settled"], "the way of the first word")
        program.click("flow_ask_2")
        program.until(lambda r: r["flow"]["asked"] == 2 and r["settled"], "the way of the second")
        program.click("flow_box_joined")
        program.until(lambda r: r["unfolded"] == "joined", "the numbers of the joined heads")
        program.click("flow_box_joined")
        program.until(lambda r: r["unfolded"] is None, "the box folded")
        program.click("flow_cell_2", 0.5, 0.5)
        seen = program.until(lambda r: r["screen"] == "stage", "the stage of the matrix")
        expect(seen["step"] == "weights.h1", f"step {seen['step']}")
        expect(seen["pinned"] == {"step": "weights.h1", "row": 2, "column": 2}, f"pinned {seen['pinned']}")
        program.click("screen.0")
        program.until(lambda r: r["screen"] == "flow" and not r["passing"], "the flow, by its tab")
        program.wheel("flow", 3)
        program.until(lambda r: r["flow"]["zoom"] > 1.3, "a closer look")
        program.key("Escape", lambda r: r["flow"]["zoom"] == 1, "the whole picture")


def chooses_one_of_the_heads_that_fan_out(stage):
    with stage.open(text="the tired cat", variant="multi_head", heads=4, weights="random") as program:
        program.key("F8", lambda r: r["screen"] == "flow" and not r["passing"], "the flow")
        program.click("flow_stack", 0.96, 0.96)
        program.until(lambda r: r["flow"]["fanned"] == 1, "all heads side by side")
        program.click("flow_head_3")
        program.until(lambda r: r["head"] == 3 and r["flow"]["fanned"] == 0, "the third in front")
        program.key("h", lambda r: r["flow"]["fanned"] == 1, "all heads, by the key")
        program.key("Escape", lambda r: r["flow"]["fanned"] == 0, "the stack again")


def climbs_the_tower(stage):
    """From afar a model is shown as a tower: one of its words is followed upwards, and a head on the second floor is
    opened."""
    with stage.open(text="the river", model="language") as program:
        program.key("F8", lambda r: r["screen"] == "flow" and not r["passing"], "the flow")
        program.click("crumb_0")
        program.until(lambda r: r["flow"]["zoom"] < 0.5 and has_widget(r, "tower_answer_2"), "the tower, with what its second floor would answer")
        program.click("tower_word_1")
        program.until(lambda r: r["flow"]["asked"] == 1 and r["settled"], "the way of the first word")
        program.click("tower_head_2_3")
        seen = program.until(lambda r: r["flow"]["zoom"] == 1 and r["settled"], "the flow of a head")
        expect(seen["head"] == 3, f"head {seen['head']}")
        expect("l2" in seen["step"], f"step {seen['step']}")
        program.key("Escape", lambda r: r["flow"]["zoom"] < 0.5 and has_widget(r, "tower_word_1"), "the tower again")
        program.key("plus", lambda r: r["flow"]["zoom"] == 1, "down again, by the key")
