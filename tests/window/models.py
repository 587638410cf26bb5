"""Sources of numbers: trained heads, a language model, checkpoints, pictures."""

import json
import shutil
from pathlib import Path

from hands import document_of, expect, has_widget


def opens_on_trained_heads(stage):
    with stage.start() as program:
        first = program.settled()
        document = json.loads(first["document"])
        expect(document["model"] == "questions" and first["head_count"] == 4, f"not the trained layer: {document}")
        program.key("F10", lambda r: r["screen"] == "heads", "the heads")
        program.click("heads_page.1")
        program.until(lambda r: r["heads"]["page"] == "grid" and r["settled"], "all heads")
    with stage.start("the dog saw the cat", "--no-restore") as program:
        seen = program.settled()
        expect(json.loads(seen["document"])["model"] == "questions", "words of one's own meet other numbers")
        program.write("the zzyzx saw the cat")
        program.until(lambda r: r["tokens"][1] == "zzyzx" and r["error"] is None, "a word that it does not know")


def samples_a_token_and_looks_through_the_layers(stage):
    """The small language model: a token is appended and removed again, the lens, all layers together, another memory
    budget."""
    with stage.open(text="the river", model="language") as program:
        before = program.settled()["text"]
        program.key("w", lambda r: r["screen"] == "prediction", "the prediction")
        program.click("prediction_word1")
        longer = program.until(lambda r: r["text"] != before and r["settled"], "a token behind the text")
        expect(longer["text"].startswith(before) and longer["error"] is None, f"it now reads {longer['text']}")
        program.tap("ctrl+z")
        program.until(lambda r: r["text"] == before and r["settled"], "the text as it was")
        program.click("prediction_page.1")
        program.click("lens_cells", 0.5, 0.9)
        program.until(lambda r: r["prediction"]["page"] == "lens" and r["settled"], "the lens")
        program.key("F10", lambda r: r["screen"] == "heads", "the heads")
        program.click("heads_page.3")
        program.until(lambda r: r["heads"]["page"] == "through" and r["settled"], "all layers together")
        program.key("ctrl+k", lambda r: r["sheet"] == "palette", "the palette")
        program.type("memory 2 GiB")
        program.key("Return", lambda r: r["memory"] == 2048 and r["error"] is None, "two gibibytes")
        program.quit()
    with stage.start() as program:
        expect(program.settled()["memory"] == 2048, "the memory budget was not kept")


CHECKPOINTS = Path(__file__).parents[1] / "data/checkpoints"


def opens_a_checkpoint_and_looks_inside(stage):
    """A folder in Hugging Face's layout: opened, typed into, followed from the map to a cell, restored, and missing."""
    folder = stage.home.path / "gpt2"
    shutil.copytree(CHECKPOINTS / "gpt2", folder)
    with stage.start(str(folder)) as program:
        first = program.settled()
        expect(document_of(first)["model"] == str(folder) and first["notice"] == "", f"not the checkpoint: {first['notice']}")
        expect(first["screen"] == "prediction" and "weights" in first["step"], f"opened on {first['screen']}, {first['step']}")
        program.key("F2", lambda r: r["screen"] == "stage" and r["settled"], "the stage")
        seen = program.write("the red dog ran away")
        expect(seen["error"] is None and len(seen["tokens"]) == 5, f"not computed: {seen['error']}")
        program.leave_field()
        program.key("F8", lambda r: r["screen"] == "flow" and not r["passing"], "the flow")
        program.click("flow_place.0")
        program.click("flow_cell_2")
        program.until(lambda r: r["screen"] == "stage" and r["step"] == "l1.weights.h1" and not r["passing"], "the weights")
        program.click("cell_3_1")
        pinned = program.until(lambda r: r["pinned"] and r["settled"], "a pinned cell")["pinned"]
        expect(pinned == {"step": "l1.weights.h1", "row": 4, "column": 2}, f"pinned {pinned}")
        program.key("F10", lambda r: r["screen"] == "heads", "the heads")
        program.click("heads_page.1")
        program.until(lambda r: r["heads"]["page"] == "grid" and r["settled"], "all heads of both blocks")
        program.quit()
    with stage.start() as program:
        again = program.settled()
        expect(document_of(again)["model"] == str(folder) and again["text"] == "the red dog ran away", "not the checkpoint again")
        program.quit()
    folder.rename(stage.home.path / "gone")
    with stage.start() as program:
        gone = program.settled()
        expect(str(folder) in gone["notice"] and gone["text"] == "the red dog ran away", f"what is missing is not said: {gone['notice']}")


def planted(stage):
    """A copy of the checkpoint in which an induction head was planted."""
    folder = stage.home.path / "planted"
    shutil.copytree(CHECKPOINTS.parent / "planted", folder)
    return str(folder)


def predict(program, text, word):
    """Writes a text on the stage, and looks at the prediction."""
    program.key("F2", lambda r: r["screen"] == "stage" and r["settled"], "the stage")
    program.write(text)
    program.leave_field()
    program.key("w", lambda r: r["screen"] == "prediction" and r["predicted"] == word and r["settled"], "the prediction")


def finds_the_induction_head_and_switches_it_off(stage):
    """An analysis by mouse and by keys: the head that contributes most to the token, the source tokens of that head,
    switching it off and on again."""
    with stage.start(planted(stage)) as program:
        program.until(lambda r: r["screen"] == "prediction" and r["step"] == "l2.weights.h1" and r["settled"], "what it predicts")
        predict(program, "green winter cloud table stone bread river horse seven window night apple green winter cloud table stone bread river horse seven", "window")
        program.click("prediction_page.2")
        program.until(lambda r: r["prediction"]["page"] == "parts" and has_widget(r, "part_2_3") and r["settled"], "what speaks for it")
        program.click("part_2_3")
        chosen = program.until(lambda r: r["head"] == 3 and r["step"] == "l2.weights.h3" and r["settled"], "the induction head")
        expect(has_widget(chosen, "part_source10"), "the token that it copies is not told")
        program.click("switch_part")
        off = program.until(lambda r: document_of(r).get("interventions") and r["settled"], "the head off")
        expect(document_of(off)["interventions"] == [{"at": "head", "layer": 2, "head": 3, "by": "zero"}], f"off: {document_of(off)['interventions']}")
        program.key("w", lambda r: r["prediction"]["page"] == "stream" and r["settled"], "the residual stream")
        program.key("w", lambda r: r["prediction"]["page"] == "interventions" and has_widget(r, "sweep_2_3") and r["settled"], "each part removed")
        program.key("w", lambda r: r["prediction"]["page"] == "words" and has_widget(r, "intervention1"), "before and after")
        program.key("o", lambda r: "interventions" not in document_of(r), "on again by a key")
        program.key("ctrl+z", lambda r: len(document_of(r).get("interventions", [])) == 1, "and off by taking that back")
        program.click("intervention1")
        program.until(lambda r: "interventions" not in document_of(r) and r["settled"], "on again by its chip")
        # Counted from 0, as in the model's papers; then from 1.
        for typed, step, head in (("0.1", "l1.weights.h2", 2), ("L1H2", "l2.weights.h3", 3)):
            program.key("ctrl+k", lambda r: r["sheet"] == "palette", "the palette")
            program.type(typed)
            program.key("Return", lambda r, step=step, head=head: r["step"] == step and r["head"] == head and r["screen"] == "prediction" and r["settled"], f"the head {typed}")
        program.key("ctrl+k", lambda r: r["sheet"] == "palette", "the palette")
        program.type("number layers 1, 2, 3")
        program.key("Return", lambda r: r["count_from"] == "1", "counting from 1")
        program.key("ctrl+k", lambda r: r["sheet"] == "palette", "the palette")
        program.type("1.2")
        program.key("Return", lambda r: r["step"] == "l1.weights.h2" and r["head"] == 2, "the same head by its other number")


def patches_a_head_back_from_another_text(stage):
    """Prediction > Interventions > another text: the runs over all places, a head, its value put there and taken away."""
    beginning, end = "green winter cloud table stone bread river", "night apple green winter cloud table stone bread river horse seven"
    text, other = f"{beginning} horse seven window {end}", f"{beginning} window seven horse {end}"
    with stage.start(planted(stage)) as program:
        program.until(lambda r: r["screen"] == "prediction" and r["settled"], "what it predicts")
        predict(program, text, "window")
        program.click("prediction_page.4")
        program.until(lambda r: r["prediction"]["page"] == "interventions" and has_widget(r, "sweep_by.2") and r["settled"], "the interventions")
        program.click("sweep_by.2")
        program.until(lambda r: has_widget(r, "sweep_from") and r["settled"], "the field of the other text")
        program.click("sweep_from", 0.1)
        program.until(lambda r: r["typing"], "the caret in the other text")
        program.tap("ctrl+a")
        program.type("green winter")
        program.until(lambda r: r["settled"] and not has_widget(r, "sweep_1_1"), "no map for a text of another length")
        program.tap("ctrl+a")
        program.type(other)
        program.until(lambda r: has_widget(r, "sweep_1_1") and r["settled"], "the residual stream, patched")
        program.click("sweep_where.1")
        program.until(lambda r: has_widget(r, "sweep_2_3") and not has_widget(r, "sweep_stop") and r["settled"], "each head, patched")
        program.click("sweep_2_3")
        program.until(lambda r: r["head"] == 3 and has_widget(r, "sweep_put") and r["settled"], "the induction head")
        program.click("sweep_put")
        put = program.until(lambda r: document_of(r).get("interventions") and r["predicted"] == "horse" and r["settled"], "what follows in the other text")
        expect(document_of(put)["interventions"] == [{"at": "head", "layer": 2, "head": 3, "by": "text", "text": other}], f"put: {document_of(put)['interventions']}")
        expect(put["text"] == text, "the text itself was changed")
        program.click("sweep_put")
        program.until(lambda r: "interventions" not in document_of(r) and r["predicted"] == "window" and r["settled"], "the prediction as it was")
        program.key("o", lambda r: document_of(r).get("interventions") and r["predicted"] not in ("window", "horse") and r["settled"], "the head off by a key")
        program.click("sweep_put")
        back = program.until(lambda r: r["predicted"] == "horse" and r["settled"], "and back from the other text")
        expect([put["by"] for put in document_of(back)["interventions"]] == ["zero", "text"], f"back: {document_of(back)['interventions']}")
        program.key("ctrl+z", lambda r: r["predicted"] not in ("window", "horse") and r["settled"], "off again by taking that back")
        program.key("ctrl+z", lambda r: "interventions" not in document_of(r) and r["predicted"] == "window" and r["settled"], "the prediction as it was, by a key")


def integrates_gradients_and_forces_a_pattern(stage):
    """Prediction > What supports it > Integrated gradients; then Interventions > a fixed pattern, made part of the document."""
    beginning = "green winter cloud table stone bread river horse seven window night apple"
    with stage.start(planted(stage)) as program:
        program.until(lambda r: r["screen"] == "prediction" and r["settled"], "what it predicts")
        predict(program, f"{beginning} {beginning[:-6]}", "apple")
        program.click("prediction_page.2")
        program.until(lambda r: r["prediction"]["page"] == "parts" and has_widget(r, "part_measure.2") and r["settled"], "what supports it")
        program.click("part_measure.2")
        program.until(lambda r: has_widget(r, "integrated_1_1") and r["settled"], "the share of each token")
        program.click("integrated_points.3")
        program.until(lambda r: has_widget(r, "integrated_stop") or has_widget(r, "integrated_1_1"), "many points")
        program.until(lambda r: has_widget(r, "integrated_1_1") and r["settled"], "the shares by many points")
        program.click("prediction_page.4")
        program.until(lambda r: r["prediction"]["page"] == "interventions" and has_widget(r, "sweep_by.3") and r["settled"], "the interventions")
        program.click("sweep_by.3")
        program.until(lambda r: has_widget(r, "sweep_rule.1") and r["settled"], "the patterns")
        program.click("sweep_rule.1")
        program.until(lambda r: has_widget(r, "sweep_2_3") and not has_widget(r, "sweep_stop") and r["settled"], "each head, forced to look at the token before")
        program.click("sweep_2_3")
        program.until(lambda r: r["head"] == 3 and has_widget(r, "sweep_put") and r["settled"], "the induction head")
        program.click("sweep_put")
        put = program.until(lambda r: document_of(r).get("interventions") and r["predicted"] != "apple" and r["settled"], "another prediction")
        expect(document_of(put)["interventions"] == [{"at": "pattern", "layer": 2, "head": 3, "by": "previous"}], f"put: {document_of(put)['interventions']}")
        program.key("ctrl+z", lambda r: "interventions" not in document_of(r) and r["predicted"] == "apple" and r["settled"], "the prediction as it was")


def drops_a_picture_and_looks_at_its_regions(stage):
    """From a file manager: a picture that no open model reads, the folder of a model that does, and the picture again."""
    folder, picture, broken = stage.home.path / "vit", stage.home.path / "猫 cat.png", stage.home.path / "broken.png"
    shutil.copytree(CHECKPOINTS / "vit", folder)
    shutil.copy(folder / "picture.png", picture)
    broken.write_bytes(picture.read_bytes()[:60])
    sentence = "那只动物没过那条街因为它太累了" * 4
    with stage.start() as program:
        program.write(sentence)
        program.leave_field()
        program.drop(picture)
        early = program.until(lambda r: r["notice"] and r["settled"], "what to do first")
        expect("open its folder first" in early["notice"] and early["text"] == sentence, f"said {early['notice']!r}")
        program.drop(folder)
        bare = program.until(lambda r: document_of(r).get("model") == str(folder) and r["settled"], "the model of pictures")
        expect(bare["notice"] == "" and not bare["tokens"], f"still says {bare['notice']!r} of {bare['tokens']}")
        program.drop(picture)
        seen = program.until(lambda r: document_of(r).get("picture") == str(picture) and r["settled"], "the picture")
        expect(len(seen["tokens"]) == 10 and seen["error"] is None, f"it looks at {seen['tokens']}, {seen['error']}")
        program.key("F10", lambda r: r["screen"] == "heads", "the heads")
        for size, place, row in (((640, 480), (0.9, 0.1), 4), ((1280, 800), (0.1, 0.9), 8)):
            program.resize(*size)
            program.click("regions", *place)
            program.until(lambda r, row=row: r["heads"]["queries"] == [row] and r["settled"], f"the weights of row {row}")
        program.click("regions_head_2")
        program.until(lambda r: r["head"] == 2 and r["settled"], "the second head")
        program.click("regions_class")
        program.until(lambda r: r["heads"]["queries"] == [] and r["settled"], "the row of the class token")
        program.drop(broken)
        refused = program.until(lambda r: r["notice"] and r["settled"], "what is wrong with the file")
        expect("broken.png" in refused["notice"] and document_of(refused)["picture"] == str(picture), f"said {refused['notice']!r}")
        program.quit()
    with stage.start() as program:
        again = program.settled()
        expect(document_of(again)["picture"] == str(picture) and len(again["tokens"]) == 10, "not the picture again")
