"""Two runs beside each other, and experiments."""

import json
from pathlib import Path

from hands import expect, has_widget

DATA = Path(__file__).parents[1] / "data"


def compares(stage):
    with stage.open(text="the tired cat", weights="random") as program:
        program.key("F3", lambda r: r["screen"] == "compare", "the comparison")
        program.click("left_1_1")
        program.click("compare_shown.2")
        program.settled()
        program.click("screen.1")
        program.until(lambda r: r["screen"] == "stage", "the stage, by its tab")


def compares_with_another_text_and_a_kept_run(stage):
    with stage.open(text="the tired cat", weights="random") as program:
        program.key("k", lambda r: r["comparison"]["kind"] == "kept" and r["done"], "this run, kept")
        program.click("text")
        program.tap("ctrl+a")
        program.type("the happy dog")
        program.until(lambda r: r["tokens"] == ["the", "happy", "dog"], "another text")
        program.leave_field()
        program.key("F3", lambda r: r["screen"] == "compare", "the comparison with the kept run")
        program.click("exchange")
        program.until(lambda r: r["text"] == "the tired cat", "the kept run, as the document")
        program.key("ctrl+z", lambda r: r["text"] == "the happy dog", "the text as it was")
    with stage.open(text="the tired cat", weights="random") as program:
        program.key("ctrl+k", lambda r: r["sheet"] == "palette", "the palette")
        program.type("keep this run")
        program.settled()
        program.key("Return", lambda r: r["comparison"]["kind"] == "kept" and r["sheet"] == "none", "kept by its name")


def compares_with_another_model(stage):
    """A folder that is dropped while another model is asked for is that one; the document stays."""
    planted = DATA / "planted"
    with stage.open(text="the river is wide", model="language") as program:
        program.key("F3", lambda r: r["screen"] == "compare", "the comparison")
        program.click("compare_kind")
        kinds = [widget[0] for widget in program.settled()["widgets"] if widget[0].startswith("compare_kind.")]
        program.click(kinds[-2])  # the last one is the kept run
        program.until(lambda r: r["comparison"]["kind"] == "model" and r["settled"], "with another model")
        program.drop(planted)
        program.until(lambda r: r["comparison"]["model"] == str(planted) and r["settled"] and has_widget(r, "changed_head1"), "the heads of both")
        expect(json.loads(program.settled()["document"])["model"] == "language", "the document has another model")


def measures_in_the_lab(stage):
    with stage.open(text="the tired cat", variant="multi_head", position="rope", weights="random") as program:
        program.key("F4", lambda r: r["screen"] == "experiments", "the experiments")
        program.click("experiment_page.1")
        program.until(lambda r: r["experiment_page"] == "position", "its page on positions")
        program.key("F2", lambda r: r["screen"] == "stage", "the stage")
        program.key("F4", lambda r: r["experiment_page"] == "position", "the same page again")
