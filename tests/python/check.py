"""What the module gives, against the independent passes of tests/data/checkpoints: check.py CHECKPOINTS."""

import gc
import json
import struct
import sys
import traceback
import zlib
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


def pixels(png):
    """Width, height and rows of (red, green, blue)."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data, size = 8, b"", None
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", png[at + 8:at + 18])
            assert (depth, color) == (8, 2)
            size = width, height
        elif kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    width, height = size
    raw, rows, above = zlib.decompress(data), [], np.zeros(3 * width, int)
    for y in range(height):
        kind, *line = raw[y * (3 * width + 1):(y + 1) * (3 * width + 1)]
        for x, byte in enumerate(line):
            left, up, corner = (line[x - 3] if x > 2 else 0), int(above[x]), (int(above[x - 3]) if x > 2 else 0)
            nearest = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
            line[x] = (byte + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        above = np.array(line)
        rows.append(above.reshape(width, 3))
    return width, height, np.array(rows)


@check
def pictures():
    """a notebook shows a step as a picture in the program's colours"""
    run = attenscope.open(str(checkpoints / "gpt2")).run("the cat sat")
    weights = run["l1.weights.h1"]
    assert isinstance(weights, attenscope.Step) and isinstance(weights, np.ndarray)
    width, height, cells = pixels(weights._repr_png_())
    assert width == height and width % 3 == 0 and width // 3 >= 8
    cells = cells[::width // 3, ::width // 3]
    full, paper = (0x6D, 0x4A, 0xE0), (0xF7, 0xF7, 0xFB)
    assert tuple(cells[0, 0]) == full and tuple(cells[0, 1]) == paper, "the first token sees itself alone"
    assert not (cells[2, 0] == cells[0, 0]).all() and not (cells[2, 0] == cells[0, 1]).all()
    signed = (weights - weights.T)
    assert isinstance(signed, attenscope.Step) and isinstance(weights.sum(), np.float32)
    low = np.unravel_index(signed.argmin(), signed.shape)
    assert tuple(pixels(signed._repr_png_())[2][::width // 3, ::width // 3][low]) == (0x5B, 0x64, 0x75)
    wide = np.zeros((100, 3000), np.float32).view(attenscope.Step)
    wide[7, 1234] = 1
    width, height, found = pixels(wide._repr_png_())
    assert (width, height) == (800, 800) and tuple(found[7 * 8, 1234 * 800 // 3000]) == full, "what is alone in a pixel is seen"
    _, _, masked = pixels(np.float32([1, -np.inf]).view(attenscope.Step)._repr_png_())
    assert tuple(masked[0, 0]) == full and tuple(masked[0, -1]) == (0xC3, 0xC9, 0xD4)
    assert np.float32([1, np.nan]).view(attenscope.Step)._repr_png_() and wide[0, 0] == 0
    assert wide[:0]._repr_png_() is None and wide.reshape(10, 10, 3000)._repr_png_() is None


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
