"""Training models in the window."""

import json
import time
from pathlib import Path

from hands import expect


def trains_heads_and_takes_a_snapshot_to_the_stage(stage):
    with stage.start() as program:
        program.settled()
        program.key("ctrl+t", lambda r: r["screen"] == "train" and r["training_step"] == 0, "a training that waits")
        program.click("train_run")
        program.until(lambda r: r["trained"]["running"] and r["training_step"] >= 50, "fifty steps")
        program.click("train_run")
        program.until(lambda r: not r["trained"]["running"] and r["settled"], "a pause")
        program.drag("train_snapshots", (0.95, 0.97), (0.45, 0.97))
        shown = program.until(lambda r: 0 < r["training_shown"] < 50 and r["settled"], "an older snapshot")["training_shown"]
        program.click("train_take")
        taken = program.until(lambda r: r["screen"] == "stage" and r["settled"], "the stage")
        model = json.loads(taken["document"])["model"]
        expect(f"-step{shown}-" in model and (Path(model) / "model.safetensors").exists(), f"no model is kept: {model}")
        program.quit()
    with stage.start() as program:
        again = program.settled()
        expect(json.loads(again["document"])["model"] == model and again["notice"] == "", "not the trained model again")
        # It gets a name, and stays among the models when another one is chosen and after a restart.
        program.key("ctrl+m", lambda r: r["sheet"] == "models", "the models")
        program.click("gallery." + model + ".rename")
        program.until(lambda r: r["typing"], "the caret in the name")
        program.type("my first model")
        program.key("Return", lambda r: not r["typing"] and r["sheet"] == "models", "the name")
        program.click("gallery.it")
        program.until(lambda r: json.loads(r["document"]).get("model") == "it" and r["settled"], "another model")
        program.quit()
    names = json.loads(stage.home.settings.read_text(encoding="utf-8"))["model_names"]
    expect(names == {Path(model).name: "my first model"}, f"another name is kept: {names}")
    with stage.start() as program:
        program.settled()
        program.key("ctrl+m", lambda r: r["sheet"] == "models", "the models")
        program.wheel("gallery.questions", -40)
        program.click("gallery." + model)
        back = program.until(lambda r: json.loads(r["document"]).get("model") == model and r["settled"], "the trained one")
        expect(back["error"] is None, f"it cannot be used: {back['error']}")


def draws_while_it_trains(stage):
    """The window must draw 30 frames a second while a training uses every core. A busy machine draws fewer of anything:
    compared with a walk that plays, a training may cost the window two of three frames at most."""
    def rate(program, counts, seconds=4):
        first, began = program.report(), time.monotonic()
        time.sleep(seconds)
        last, took = program.report(), time.monotonic() - began
        expect(last[counts] > first[counts], f"{counts} stood still")
        return (last["frame"] - first["frame"]) / took

    with stage.start() as program:
        program.settled()
        program.key("space", lambda r: r["playing"], "a walk that plays")
        playing = rate(program, "time")
        program.key("ctrl+t", lambda r: r["screen"] == "train", "the training")
        program.click("train_run")
        program.until(lambda r: r["training_step"] >= 5, "five steps")
        training = rate(program, "training_step")
        print(f"{training:.1f} frames a second while it trains, {playing:.1f} while it plays")
        expect(training >= min(27, playing / 3), f"{training:.1f} frames a second while it trains, {playing:.1f} while it plays")


def trains_two_side_by_side(stage):
    with stage.start() as program:
        program.settled()
        program.key("ctrl+t", lambda r: r["screen"] == "train", "the training")
        program.click("train_beside")
        program.click("train_beside.1")
        program.until(lambda r: r["training"]["beside"] == "unscaled", "something to train beside it")
        program.click("train_run")
        program.until(lambda r: r["training_step"] >= 10, "ten steps of both")
        program.click("train_run")
        program.until(lambda r: not r["trained"]["running"] and r["settled"], "a pause")
        program.place("train_beside_head_1")
        program.click("train_take_beside")
        program.until(lambda r: r["screen"] == "stage" and r["settled"], "the varied one on the stage")
