"""What the module gives, against the independent passes of tests/data/checkpoints: check.py CHECKPOINTS."""

import gc
import json
import struct
import sys
import traceback
from pathlib import Path

import numpy as np

import attenscope

checkpoints = Path(sys.argv[1])
passed = failed = 0


def activations(name):
    data = (checkpoints / name / "activations.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__")
    return {key: np.frombuffer(data[8 + length + one["data_offsets"][0]:8 + length + one["data_offsets"][1]], np.float32).reshape(one["shape"])
            for key, one in header.items()}


def check(f):
    global passed, failed
    try:
        f()
        passed += 1
        print("passed:", f.__doc__)
    except Exception:
        failed += 1
        traceback.print_exc()
        print("FAILED:", f.__doc__)


@check
def numbers():
    """compares every activation of GPT-2, BERT and Marian"""
    for name, source in (("gpt2", ""), ("bert", ""), ("marian", "red hat ran away")):
        run = attenscope.open(str(checkpoints / name)).run("the cat sat on cat", source=source, tokenizer="words")
        right = activations(name)
        assert len(right) > 10
        for key, there in right.items():
            assert run[key].shape == there.shape, key
            assert np.abs(run[key] - there).max() <= 1e-4 * np.abs(there).max(), key


@check
def views():
    """an array views the engine's numbers, is read-only, and outlives the run"""
    run = attenscope.open(str(checkpoints / "gpt2")).run("the cat sat")
    one, again = run["l2.weights.h1"], run["l2.weights.h1"]
    assert one.dtype == np.float32 and one.ctypes.data == again.ctypes.data and not one.flags.owndata
    before = one.copy()
    try:
        one[0, 0] = 2
        raise AssertionError("it was written")
    except ValueError:
        pass
    del run, again
    gc.collect()
    assert (one == before).all() and np.allclose(one.sum(1), 1)


@check
def names():
    """names, tokens and settings"""
    model = attenscope.open(str(checkpoints / "gpt2"))
    run = model.run("the cat sat")
    assert run.tokens == ["the", "cat", "sat"] and model.words[2] == "cat"
    assert "l1.weights.h2" in run and "l3.weights.h1" not in run
    assert list(run) == run.keys() and len(run) == len(run.keys()) and run.keys()[-1] in run
    off = model.run("the cat sat", heads_off=[2], temperature=0.5)
    assert (off["l1.weights.h1"] != run["l1.weights.h1"]).any()


@check
def notes():
    """a model's notes are sentences"""
    assert attenscope.open(str(checkpoints / "gpt2")).notes == []
    (vision, heads) = sorted(attenscope.open(str(checkpoints / "clip")).notes, key=lambda note: "logit_scale" in note)
    assert "#text" in vision and "visual_projection.weight" in heads
    assert "This is the one for texts" in " ".join(attenscope.open(str(checkpoints / "clip") + "#text").notes)


@check
def errors():
    """errors say what is wrong"""
    for wrong, said in ((lambda: attenscope.open("/nowhere"), "/nowhere"), (lambda: attenscope.open("it").run("the cat", heads="many"), "heads")):
        try:
            wrong()
        except attenscope.Error as error:
            assert isinstance(error, ValueError) and said in str(error), error
        else:
            raise AssertionError("there is no error")
    try:
        attenscope.open(str(checkpoints / "gpt2")).run("the cat")["l9.weights.h1"]
    except KeyError:
        return
    raise AssertionError("there is such a step")


print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
