#!/usr/bin/python3
"""Makes tests/data/hostile: files that are broken, that make false claims or that have another format, one per case, and
expected.json with the message that each must give (or the notes with which it opens). In a message, "…" at the end stands
for a library's words, and "…" at the beginning for the folder. The files of a case that is a folder are put over a copy of
a checkpoint ("on"), from which files are removed ("without"). Cases are numbered like the rows of the table of bad inputs;
large files are made by the tests themselves. `--check` regenerates everything and compares it with the files.
"""

import io
import json
import shutil
import struct
import sys
import tempfile
import warnings
import zipfile
import zlib
from pathlib import Path

OUT = Path(__file__).parent / "hostile"
CHECKPOINTS = Path(__file__).parent / "checkpoints"
CASES = []
FILES = {}


def case(row, name, data, says=None, notes=()):
    FILES[name] = data if isinstance(data, bytes) else data.encode()
    fields = {"row": row, "file": name}
    fields |= {"says": says} if says is not None else {"opens": True, "notes": list(notes)}
    CASES.append(fields)


def over(row, name, on, files, says, without=(), text=None):
    for file, data in files.items():
        FILES[f"{name}/{file}"] = data if isinstance(data, bytes) else data.encode()
    fields = {"row": row, "folder": name, "on": on, "without": list(without), "says": says}
    CASES.append(fields | ({"text": text} if text else {}))


# --- safetensors

def tensors(header, data=b"", length=None):
    header = header.encode() if isinstance(header, str) else header
    return struct.pack("<Q", len(header) if length is None else length) + header + data


def entry(name, kind="F32", shape="[1,1]", begin=0, end=4):
    return f'"{name}":{{"dtype":"{kind}","shape":{shape},"data_offsets":[{begin},{end}]}}'


def one(**fields):
    return "{" + entry("attention", **fields) + "}"


ONE = struct.pack("<f", 1)

case(1, "01-empty.safetensors", b"", "…/01-empty.safetensors: The file is empty.")
case(1, "01-seven-bytes.safetensors", b"\x01\0\0\0\0\0\0",
     "…/01-seven-bytes.safetensors: The file has 7 bytes: shorter than 8 bytes, so it is no safetensors file.")
case(2, "02-length-0.safetensors", tensors("{" * 8, length=0), "…/02-length-0.safetensors: The header's length is 0.")
case(2, "02-length-2-63.safetensors", tensors("{" * 8, length=1 << 63),
     "…/02-length-2-63.safetensors: The header's length is 9223372036854775808 bytes; at most 100000000 are read.")
case(2, "02-length-over-100-mb.safetensors", tensors("{" * 8, length=100_000_001),
     "…/02-length-over-100-mb.safetensors: The header's length is 100000001 bytes; at most 100000000 are read.")
case(2, "02-length-beyond-the-file.safetensors", tensors("{" * 8, length=9),
     "…/02-length-beyond-the-file.safetensors: The header's length is 9 bytes, but the file has 16.")
case(3, "03-not-utf-8.safetensors", tensors(b'{"\xff":1}'),
     "…/03-not-utf-8.safetensors: The header is not UTF-8 at byte 2 of it.")
case(3, "03-not-json.safetensors", tensors("{nonsense"), "…/03-not-json.safetensors: The header is no JSON at byte 3 of it.")
case(3, "03-a-list.safetensors", tensors("[]      "), "…/03-a-list.safetensors: The header must begin with '{' at byte 8.")
case(3, "03-blanks-before.safetensors", tensors("  {}    "),
     "…/03-blanks-before.safetensors: The header must begin with '{' at byte 8.")
case(3, "03-text-behind.safetensors", tensors("{} x"),
     "…/03-text-behind.safetensors: The header is no JSON at byte 4 of it.")
case(4, "04-too-deep.safetensors", tensors('{"a":{"dtype":{"x":1}}}'),
     "…/04-too-deep.safetensors: a: an object is where none is allowed")
case(4, "04-shape-in-a-shape.safetensors", tensors(one(shape="[[1]]"), ONE),
     "…/04-shape-in-a-shape.safetensors: attention: a list is where none is allowed")
case(5, "05-tensor-twice.safetensors", tensors("{" + entry("attention") + "," + entry("attention") + "}", ONE),
     "…/05-tensor-twice.safetensors: attention: the name occurs twice; two readers could read two different tensors")
case(5, "05-field-twice.safetensors",
     tensors('{"a":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}}', ONE),
     '…/05-field-twice.safetensors: a: "dtype" occurs twice')
case(6, "06-ten-on-one-place.safetensors",
     tensors("{" + ",".join(entry(f"t{i}", shape="[2,2]", end=16) for i in range(10)) + "}", bytes(16)),
     "…/06-ten-on-one-place.safetensors: t1: its bytes belong to another tensor as well")
case(7, "07-hole.safetensors", tensors(one(begin=4, end=8), bytes(8)),
     "…/07-hole.safetensors: attention: 4 bytes before it belong to no tensor")
case(7, "07-tail.safetensors", tensors(one(), ONE + b"PK"),
     "…/07-tail.safetensors: 2 bytes follow the last tensor and belong to none.")
case(8, "08-cut.safetensors", tensors(one(shape="[2,2]", end=16), bytes(8)),
     "…/08-cut.safetensors: The file is cut: its tensors take 16 bytes, it has 8. Download it again.")
case(9, "09-ends-before-it-begins.safetensors", tensors(one(begin=4, end=0), ONE),
     "…/09-ends-before-it-begins.safetensors: attention: it ends before it begins")
case(9, "09-negative.safetensors", tensors(one(shape="[-1]"), ONE),
     "…/09-negative.safetensors: attention: found -1 where a whole number from 0 on is expected")
case(9, "09-fractional.safetensors", tensors(one(shape="[1.0]"), ONE),
     "…/09-fractional.safetensors: attention: found 1.0 where a whole number from 0 on is expected")
case(9, "09-2-64.safetensors", tensors(one(shape="[18446744073709551616]"), ONE),
     "…/09-2-64.safetensors: attention: found 18446744073709551616 where a whole number from 0 on is expected")
case(9, "09-three-offsets.safetensors", tensors('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}', ONE),
     "…/09-three-offsets.safetensors: a: data_offsets must have two numbers")
case(10, "10-product-overflows.safetensors", tensors(one(shape="[4294967296,4294967296]"), ONE),
     "…/10-product-overflows.safetensors: attention: the product of its shape is beyond 64 bits")
case(10, "10-10000-axes.safetensors", tensors(one(shape="[" + ",".join("1" * 10000) + "]"), ONE),
     "…/10-10000-axes.safetensors: attention: it has more than 8 dimensions")
case(10, "10-shape-and-bytes.safetensors", tensors(one(shape="[2]"), ONE),
     "…/10-shape-and-bytes.safetensors: attention: its shape takes 8 bytes, its place has 4")
case(11, "11-unknown-type.safetensors", tensors(one(kind="Q4"), ONE),
     '…/11-unknown-type.safetensors: attention: the type "Q4" is not known')
case(11, "11-half-a-byte.safetensors", tensors(one(kind="F4", shape="[1,1]", end=1), b"\0"),
     "…/11-half-a-byte.safetensors: attention: the type F4 does not fill whole bytes and is not read")
case(11, "11-integers.safetensors", tensors(one(kind="I64", end=8), bytes(8)),
     "…/11-integers.safetensors: attention: its type is I64; F32, F16, BF16 and F64 are read")
case(11, "11-f8.safetensors", tensors(one(kind="F8_E4M3", end=1), b"\x38"),
     "…/11-f8.safetensors: attention: its type is F8_E4M3; F32, F16, BF16 and F64 are read")
case(11, "11-bool.safetensors", tensors(one(kind="BOOL", end=1), b"\x01"),
     "…/11-bool.safetensors: attention: its type is BOOL; F32, F16, BF16 and F64 are read")
case(11, "11-bf16.safetensors", tensors(one(kind="BF16", end=2), b"\x80\x3f"))
case(11, "11-f64.safetensors", tensors(one(kind="F64", end=8), struct.pack("<d", 1)))
case(11, "11-no-type.safetensors", tensors('{"a":{"shape":[1],"data_offsets":[0,4]}}', ONE),
     "…/11-no-type.safetensors: a: dtype, shape and data_offsets must all be there")
case(11, "11-another-field.safetensors",
     tensors('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}}', ONE),
     '…/11-another-field.safetensors: a: there is no field "more"')
case(12, "12-metadata-numbers.safetensors", tensors('{"__metadata__":{"a":1},' + entry("attention") + "}", ONE),
     "…/12-metadata-numbers.safetensors: __metadata__: __metadata__ may hold texts alone")
case(12, "12-number-for-a-tensor.safetensors", tensors('{"a":7}'),
     "…/12-number-for-a-tensor.safetensors: a: found a number where a tensor is expected")
case(12, "12-tokens-that-are-none.safetensors",
     tensors('{"__metadata__":{"tokens":"[1]"},' + entry("attention") + "}", ONE),
     "…/12-tokens-that-are-none.safetensors: tokens: in the metadata: a token is a text, not a number")
case(13, "13-no-tensor.safetensors", tensors("{}      "), "…/13-no-tensor.safetensors: there is no array of weights in it")
case(13, "13-empty-tensor.safetensors", tensors(one(shape="[1,0,3,3]", end=0)),
     "…/13-empty-tensor.safetensors: attention: (1, 0, 3, 3) has 0 heads; 1 to 128 are shown")
case(13, "13-one-number.safetensors", tensors(one(shape="[]"), ONE),
     "…/13-one-number.safetensors: attention: () is no attention: [layers, heads, queries, keys] is expected, or [heads, queries, keys] or [1, heads, queries, keys] for each layer")
case(15, "15-git-lfs.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n",
     '…/15-git-lfs.safetensors: This is a Git LFS pointer, not the file itself: run "git lfs pull" where it came from. What is wanted here is attention as .npz, .npy, .safetensors or JSON.')
case(15, "15-web-page.safetensors", "<!DOCTYPE html><html><body>Sign in</body></html>",
     "…/15-web-page.safetensors: This is a web page: the download gave a page in place of the file. What is wanted here is attention as .npz, .npy, .safetensors or JSON.")
case(17, "17-nan-and-infinity.safetensors",
     tensors(one(shape="[2,2]", end=16), struct.pack("<4f", float("nan"), 1, float("inf"), 0)),
     notes=["2 of 2 rows have weights that are no numbers (the first, head 1, row 1: nan)"])
case(18, "18-zeros.safetensors", tensors(one(shape="[2,2]", end=16), bytes(16)))
case(18, "18-one-of-1e38.safetensors", tensors(one(shape="[2,2]", end=16), struct.pack("<4f", 1e38, 0, 0.5, 0.5)),
     notes=["1 of 2 rows do not sum to 1 (the first, head 1, row 1: 1e+38); they are shown unchanged"])


# --- folders of models

def config(of, **changes):
    values = json.loads((CHECKPOINTS / of / "config.json").read_text())
    return {"config.json": json.dumps(values | changes, indent=1)}


def tokenizer(model, more=""):
    return {"tokenizer.json": '{"version": "1.0", "added_tokens": [], ' + more + '"model": ' + model + "}"}


def bpe(vocab, merges="[]"):
    return f'{{"type": "BPE", "vocab": {vocab}, "merges": {merges}}}'


def changed(of, file, old, new):
    data = (CHECKPOINTS / of / file).read_bytes()
    assert old in data
    return {file: data.replace(old, new)}


SHARD = "model-00002-of-00002.safetensors"
INDEX = "model.safetensors.index.json"
ABC = '{"a": 0, "b": 1, "c": 2}'
over(16, "16-shard-missing", "smollm2", {},
     "…/model-00002-of-00002.safetensors: It cannot be opened: No such file or directory.", [SHARD])
over(16, "16-shard-outside", "smollm2", changed("smollm2", INDEX, b'"model-00001-of-00002.safetensors"', b'"../../../etc/passwd"'),
     "…/model.safetensors.index.json:4: weight_map.embed_tokens.weight: the name of a file of this folder is expected")
over(19, "19-heads-do-not-divide", "gpt2", config("gpt2", n_head=3),
     "…/config.json:5: n_head: 3 heads do not divide the width 8 into equal parts")
over(19, "19-no-heads", "gpt2", config("gpt2", n_head=0),
     "…/config.json:5: n_head: a whole number from 1 to 128 is expected, not 0")
over(19, "19-minus-one-head", "gpt2", config("gpt2", n_head=-1),
     "…/config.json:5: n_head: a whole number from 1 to 128 is expected, not -1")
over(19, "19-key-heads-do-not-divide", "llama", config("llama", num_key_value_heads=3),
     "…/config.json:6: num_key_value_heads: 3 key heads do not divide 4 heads into equal groups")
over(20, "20-another-width", "gpt2", config("gpt2", n_embd=16),
     "…/model.safetensors: transformer.wte.weight: it is 11 × 8, but with config.json it must be 11 × 16 to be embeddings")
over(20, "20-tensor-missing", "gpt2", config("gpt2", n_layer=3),
     "…/model.safetensors: h.2.ln_1.weight: there is no such tensor; GPT-2 has it")
over(20, "20-tensor-too-many", "gpt2", config("gpt2", n_layer=1),
     "…/model.safetensors: transformer.h.1.attn.c_attn.bias: GPT-2 with these settings has no place for this tensor, and to leave it out would compute something else")
over(20, "20-transposed", "gpt2", changed("gpt2", "model.safetensors", b"[8,24]", b"[24,8]"),
     "…/model.safetensors: transformer.h.0.attn.c_attn.weight: it is 24 × 8, but with config.json it must be 8 × 24 to be l1.key_weight")
over(22, "22-pickle-alone", "gpt2", {"pytorch_model.bin": b"\x80\x02}q\0."},
     "…/pytorch_model.bin: pickle can run code, so it is never opened; convert the weights to safetensors", ["model.safetensors"])
case(22, "22-pickle.npy", b"\x80\x04\x95",
     "…/22-pickle.npy: This is a Python pickle, which can run code and is never opened. What is wanted here is attention as .npz, .npy, .safetensors or JSON.")
case(22, "22-pickle.safetensors", b"\x80\x02}q\0.",
     "…/22-pickle.safetensors: This is a Python pickle, which can run code and is never opened. What is wanted here is attention as .npz, .npy, .safetensors or JSON.")
over(23, "23-not-json", "gpt2", {"tokenizer.json": "not JSON"},
     '…/tokenizer.json:1: column 1: "not" is not a JSON value: text goes between double quotes.', ["vocab.json"])
over(23, "23-unknown-model", "gpt2", tokenizer('{"type": "BPEE"}'),
     '…/tokenizer.json:1: model.type: there is no model "BPEE" here; the closest is BPE (of BPE, WordPiece, Unigram, WordLevel)', ["vocab.json"])
over(23, "23-merge-of-unknown", "gpt2", tokenizer(bpe(ABC, '["a z"]')),
     '…/tokenizer.json:1: model.merges[0]: the merge names "z", which the vocabulary does not have', ["vocab.json"])
over(23, "23-negative-id", "gpt2", tokenizer(bpe('{"a": -1}')),
     '…/tokenizer.json:1: model.vocab: "a" has the id -1; ids are whole numbers from 0 to 4194303', ["vocab.json"])
over(23, "23-id-twice", "gpt2", tokenizer(bpe('{"a": 1, "b": 1}')),
     '…/tokenizer.json:1: model.vocab: "b" has the id 1, which "a" has, too', ["vocab.json"])
over(23, "23-huge-id", "gpt2", tokenizer(bpe('{"a": 5000000}')),
     '…/tokenizer.json:1: model.vocab: "a" has the id 5000000; ids are whole numbers from 0 to 4194303', ["vocab.json"])
over(24, "24-broken-pattern", "gpt2",
     tokenizer(bpe(ABC), '"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a("}, "behavior": "Isolated"}, '),
     '…/tokenizer.json:1: pre_tokenizer.pattern.Regex: the regular expression "a(" cannot be read: missing closing parenthesis (at byte 2)',
     ["vocab.json"])
over(24, "24-pattern-without-end", "llama",
     tokenizer(bpe('{"<unk>": 0, "a": 1}', '[], "unk_token": "<unk>"'),
               '"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated"}, '),
     'text: the regular expression "(a+)+$" takes too many steps on this text, from its byte 0 on; the tokenizer\'s pattern wants mending, or the text is to be shorter',
     ["vocab.json"], "a" * 200 + "!")


# --- .npy and .npz

def npy(descr="<f4", shape="(2, 2)", data=struct.pack("<4f", 0.5, 0.5, 0.25, 0.75), fortran=False, head=None):
    if head is None:
        head = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + data


def npz(*files, how=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", how) as archive:
        warnings.simplefilter("ignore")  # a name that occurs twice
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


def floats(*values, kind="f", order="<"):
    return struct.pack(f"{order}{len(values)}{kind}", *values)


GOOD = (0.5, 0.5, 0.25, 0.75)
case(35, "35-rows-that-do-not-sum-to-1.npy", npy(data=floats(0.5, 0.25, 0.25, 0.75)),
     notes=["1 of 2 rows do not sum to 1 (the first, head 1, row 1: 0.75); they are shown unchanged"])
case(35, "35-negative.npy", npy(data=floats(1.5, -0.5, 0.25, 0.75)),
     notes=["1 of 2 rows have negative weights (the first, head 1, row 1: -0.5); they are shown unchanged"])
case(35, "35-one-axis.npy", npy(shape="(4,)"),
     "…/35-one-axis.npy: (4,) is no attention: [layers, heads, queries, keys] is expected, or [heads, queries, keys] or [1, heads, queries, keys] for each layer")
case(35, "35-six-axes.npy", npy(shape="(1, 1, 1, 1, 2, 2)"),
     "…/35-six-axes.npy: (1, 1, 1, 1, 2, 2) is no attention: [layers, heads, queries, keys] is expected, or [heads, queries, keys] or [1, heads, queries, keys] for each layer")
case(35, "35-batch-of-two.npy", npy(shape="(2, 2, 1, 1, 1)", data=floats(1, 1, 1, 1)))
case(35, "35-keys-before-queries.npy", npy(shape="(1, 1, 2, 2)", data=floats(0.5, 0.25, 0.5, 0.75)),
     "…/35-keys-before-queries.npy: the axes of (1, 1, 2, 2) are in another order: the weights of a query, which sum to 1, lie along axis 2 and must lie along the last, the keys; swap the last two if keys come before queries (numpy: swapaxes(-1, -2)), or move the heads forward if they come last (numpy: moveaxis(-1, -3))")
case(35, "35-heads-last.npy", npy(shape="(2, 2, 2)", data=floats(0.5, 0.1, 0.5, 0.9, 0.25, 0.6, 0.75, 0.4)),
     "…/35-heads-last.npy: the axes of (2, 2, 2) are in another order: the weights of a query, which sum to 1, lie along axis 1 and must lie along the last, the keys; swap the last two if keys come before queries (numpy: swapaxes(-1, -2)), or move the heads forward if they come last (numpy: moveaxis(-1, -3))")
case(35, "35-half.npy", npy("<f2", data=floats(*GOOD, kind="e")))
case(35, "35-half-of-thirds.npy", npy("<f2", "(1, 3)", floats(1 / 3, 1 / 3, 1 / 3, kind="e")))
case(35, "35-fortran.npy", npy(data=floats(0.5, 0.25, 0.5, 0.75), fortran=True))
case(35, "35-big-endian.npy", npy(">f4", data=floats(*GOOD, order=">")))
case(35, "35-ragged.json", '{"attention": [[0.5, 0.5],\n[1]]}',
     "…/35-ragged.json:2: attention: this list has 1 entries, those before it 2")
case(35, "35-text-for-a-weight.json", '{"attention": [[0.5, "0.5"]]}',
     "…/35-text-for-a-weight.json:1: attention: a number is expected, not a text")
case(35, "35-tokens-too-few.json", '{"attention": [[0.5, 0.5], [0, 1]], "tokens": ["a"]}',
     "…/35-tokens-too-few.json: tokens: 1 named, but the weights have 2")
case(36, "36-wrong-magic.npy", b"\x93NUMPI\x01\0" + npy()[8:],
     "…/36-wrong-magic.npy: This is not an .npy file: it does not begin with \\x93NUMPY.")
case(36, "36-header-of-4-gb.npy", b"\x93NUMPY\x02\0\xff\xff\xff\xff",
     "…/36-header-of-4-gb.npy: The header claims 4294967295 bytes; at most 10000 are read.")
case(36, "36-eval.npy", npy(head="__import__('os').system('true')"),
     "…/36-eval.npy: The header is not a dictionary with descr, fortran_order and shape.")
case(36, "36-objects.npy", npy("|O", "(1,)", b"12345678"),
     '…/36-objects.npy: The type "|O" is Python objects: they are stored as a pickle, which can run code, and are never opened. Save the array as numbers.')
case(36, "36-shape-overflows.npy", npy("<f8", "(2147483648, 2147483648, 2147483648)", b""),
     "…/36-shape-overflows.npy: The shape (2147483648, 2147483648, 2147483648) is too large to be real.")
case(36, "36-short.npy", npy(data=floats(0.5, 0.5)),
     "…/36-short.npy: The shape (2, 2) of type '<f4' needs 16 bytes, but 8 follow: the file is cut short.")
case(36, "36-version-4.npy", b"\x93NUMPY\x04\0" + npy()[8:],
     "…/36-version-4.npy: The file is of .npy version 4.0; 1.0, 2.0 and 3.0 are read.")
case(37, "37-truncated.npz", npz(("attention.npy", npy()))[:-30],
     "…/37-truncated.npz: The archive is damaged or cut short: …")
case(37, "37-name-twice.npz", npz(("a.npy", npy()), ("a.npy", npy())),
     "…/37-name-twice.npz: The archive is damaged or cut short: …")
case(37, "37-name-that-leads-out.npz", npz(("../evil.npy", npy())),
     '…/37-name-that-leads-out.npz: The archive holds "../evil.npy", a name that leads out of it.')
ENCRYPTED = bytearray(npz(("attention.npy", npy())))
ENCRYPTED[6] |= 1
ENCRYPTED[ENCRYPTED.index(b"PK\x01\x02") + 8] |= 1
case(37, "37-encrypted.npz", bytes(ENCRYPTED),
     "…/37-encrypted.npz: attention.npy: The file is encrypted; save the archive without a password.")
case(37, "37-declares-4-gb.npz",
     npz(("attention.npy", npy())).replace(struct.pack("<L", len(npy())), b"\xf0\xff\xff\xff"),
     "…/37-declares-4-gb.npz: The archive is damaged or cut short: …")


def zip64():
    """Written by hand, because the output of Python's zipfile differs between versions."""
    data, name = npy(), b"attention.npy"
    crc, unknown, date = zlib.crc32(data), 0xFFFFFFFF, 33
    sizes = struct.pack("<HHQQ", 1, 16, len(data), len(data))
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 45, 0, 0, 0, date, crc, unknown, unknown, len(name), len(sizes)) + name + sizes + data
    entry = struct.pack("<4s6H3L5H2L", b"PK\1\2", 45, 45, 0, 0, 0, date, crc, unknown, unknown, len(name), len(sizes), 0, 0, 0,
                        0o600 << 16, 0) + name + sizes
    return local + entry + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local), 0)


case(37, "37-zip64.npz", zip64())


def make(into):
    for name, data in FILES.items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (into / "expected.json").write_text(json.dumps(CASES, indent=1, ensure_ascii=False) + "\n")


def files_in(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def main():
    if "--check" not in sys.argv[1:]:
        shutil.rmtree(OUT, ignore_errors=True)
        make(OUT)
        return
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
        if files_in(Path(folder)) != files_in(OUT):
            sys.exit("tests/data/hostile is not what tests/data/make_hostile.py makes")


if __name__ == "__main__":
    main()
