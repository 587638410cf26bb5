"""Captures the attention of a PyTorch model while it runs, in a file that Attenscope opens. Needs PyTorch alone.

    from attenscope_capture import capture
    with capture(model, "run.safetensors", tokens=tokens):
        model(ids, output_attentions=True)
    # attenscope run.safetensors

Forward hooks read what attention modules return; nothing of the model is changed, and the hooks are gone afterwards.
Under torch.distributed every process writes what it computed to a file of its own, and the first one an index of them:
run-rank00001-of-00008.safetensors … and run.index.json, which Attenscope opens. The model must then run inside the block
in every process.
"""

import ctypes
import hashlib
import json
import os
import struct
import sys
import tempfile
import weakref

import torch

_TYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16"}
_CROSS = ("cross", "encoder_attn", "encdec", "enc_dec")  # what libraries call it, in lower case


class CaptureError(RuntimeError):
    """What happened, and what to do."""


class capture:
    """layers: which are kept, from 0; all without it. batch: which text of the batch, from 0; all without it, and then
    tokens is a list for each text. tokens and source_tokens may be set inside the block as well, where generate() makes
    them. Of several processes: first_head, first_layer and first_text say where this one's heads, layers and texts begin,
    from 0, where that cannot be found out; group is the process group, all processes without it."""

    def __init__(self, model, path, tokens=None, source_tokens=None, layers=None, batch=None, first_head=None, first_layer=None,
                 first_text=None, group=None):
        self.model, self.path, self.batch = model, os.fspath(path), batch
        self.first_head, self.first_layer, self.first_text, self.group = first_head, first_layer, first_text, group
        self.tokens, self.source_tokens = tokens, source_tokens
        self.layers = None if layers is None else set(layers)
        if self.layers and min(self.layers) == 1 and self._processes() == 1:
            raise CaptureError("The layers asked for begin with 1, which Attenscope reads as the first one; ask for layer 0 too.")
        self.maps = {}  # (part, layer): [texts, heads, queries, keys]
        self._modules, self._seen, self._hooks, self._not_weights = {}, [], [], False
        # A stack has modules of its own; BERT's last layer is called a decoder, too.
        parts = {part for name, module in model.named_modules() if any(True for _ in module.children()) for part in name.split(".")}
        self._two_sided = {"encoder", "decoder"} <= parts

    def __enter__(self):
        if self.model.training:
            raise CaptureError("The model is in training mode, where dropout changes the weights; call model.eval() first.")
        self.maps.clear()  # of a block before
        self._modules.clear()
        try:
            self._hooks.append(self.model.register_forward_pre_hook(lambda module, inputs: self._seen.clear()))
            for name, module in self.model.named_modules():
                self._hooks.append(module.register_forward_hook(self._hook(name)))
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(self, kind, error, trace):
        self._remove()
        if kind is None:
            self._write()

    def _remove(self):
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()
        self._seen.clear()

    def _hook(self, name):
        def take(module, inputs, output):
            # A dict-like output of a whole model repeats what its modules returned.
            if isinstance(output, tuple):
                for tensor in output:
                    if isinstance(tensor, torch.Tensor) and tensor.dim() == 4 and tensor.is_floating_point():
                        self._take(name, tensor)

        return take

    def _take(self, name, tensor):
        # The modules around an attention hand its weights on: the innermost has told of them.
        self._seen[:] = [other for other in self._seen if other() is not None]
        if any(tensor is other() for other in self._seen):
            return
        self._seen.append(weakref.ref(tensor))  # the model may free it
        part, layer = self._place(name)
        if self.layers is not None and layer not in self.layers:
            return
        if not _are_weights(tensor):  # such as a bias of positions
            self._not_weights = True
            return
        if hasattr(tensor, "to_local"):
            tensor = tensor.to_local()
        if self.batch is not None and not 0 <= self.batch < tensor.shape[0]:
            raise CaptureError(f"There is no text {self.batch} in a batch of {tensor.shape[0]}, counted from 0; choose another with batch=.")
        if self._modules.setdefault((part, layer), name) != name:
            raise CaptureError(f"Two modules return the attention of layer {layer}, {self._modules[part, layer]} and {name}; "
                               "capture the part of the model that has one of them.")
        if (part, layer) in self.maps and tensor.shape[0] > 1:
            raise CaptureError(f"{name} writes {tensor.shape[0]} texts at once, and beams change places between steps, unseen here; "
                               "write one text at a time, with num_beams=1.")
        piece = tensor.detach()[slice(None) if self.batch is None else slice(self.batch, self.batch + 1)].to("cpu", copy=True)
        if piece.dtype not in _TYPES:
            piece = piece.float()
        self.maps[part, layer] = self._joined(part, layer, piece, name)

    def _place(self, name):
        words = name.split(".")
        side = next((word for word in words if word in ("encoder", "decoder")), "")
        number = next((int(word) for word in words if word.isdigit()), 0)
        if any(word in name.lower() for word in _CROSS):
            return "cross_", number
        return (side + "_" if self._two_sided and side else ""), number

    def _joined(self, part, layer, piece, name):
        """The steps of writing one under another: a step's queries are new, its keys are all tokens so far."""
        before = self.maps.get((part, layer))
        rows = 0 if before is None else before.shape[2]
        queries, keys = piece.shape[2:]
        if part == "cross_":
            own = self.maps.get(("decoder_" if self._two_sided else "", layer))
            if before is None or (own is not None and own.shape[2] == queries):
                return piece
            if keys != before.shape[3] or (own is not None and own.shape[2] != rows + queries):
                raise CaptureError(f"{name} looked at another text than before; capture each text in a block of its own.")
            return torch.cat((before, piece), 2)
        if queries == keys and (before is None or (queries > rows and part != "encoder_" and _are_alike(piece[:, :, :rows, :rows], before))):
            return piece  # without a cache each step computes all of it again
        if queries == keys and before is not None:
            raise CaptureError(f"{name} ran again on a text of its own; capture each text in a block of its own. "
                               "(Layers that share one module cannot be told apart.)")
        total = rows + queries
        if keys < total or bool(piece[..., total:].any()):
            raise CaptureError(f"{name} has {keys} keys after {total} queries: the capture began in the middle of a text, or the cache "
                               "drops tokens. Begin with an empty cache, and use one that keeps all tokens.")
        out = torch.zeros(*piece.shape[:2], total, total, dtype=piece.dtype)
        if before is not None:
            out[:, :, :rows, :rows] = before
        out[:, :, rows:] = piece[..., :total]
        return out

    def _processes(self):
        return torch.distributed.get_world_size(self.group) if torch.distributed.is_available() and torch.distributed.is_initialized() else 1

    def _write(self):
        if self._processes() > 1:
            return self._write_pieces()
        missing = self._unseen()
        if missing:
            raise CaptureError(missing)
        named, texts = self._named(), next(iter(self.maps.values())).shape[0]
        metadata = {"format": "pt", **({"texts": str(texts)} if texts > 1 else {})}
        metadata.update((key, json.dumps(names if texts > 1 else names[0])) for key, names in named.items())
        tensors = {f"{part}attention_{n}": m if texts > 1 else m[0] for (part, n), m in sorted(self.maps.items())}
        write_safetensors(self.path, tensors, metadata)

    def _unseen(self):
        """What is wrong if no attention was seen, or none of a layer."""
        if not self.maps:
            return ("No attention was seen, so nothing was written. "
                    + ("Arrays of four dimensions were there, but their rows do not sum to 1: Attenscope wants the weights after softmax, "
                       "as eager attention returns them." if self._not_weights else
                       "Call the model inside the block, with output_attentions=True, and load it with attn_implementation=\"eager\": "
                       "fused attention returns no weights."))
        missing = sorted((self.layers or set()) - {layer for _, layer in self.maps})
        return missing and f"No attention was seen of the layers {missing}; those seen are {sorted({n for _, n in self.maps})}."

    def _named(self):
        """The tokens of each text, checked: {"tokens": [["a", …], …]}."""
        own = [m for (part, _), m in self.maps.items() if part in ("", "decoder_")]
        cross = [m for (part, _), m in self.maps.items() if part == "cross_"]
        encoder = [m for (part, _), m in self.maps.items() if part == "encoder_"]
        first = (own or cross or encoder)[0]
        sources = encoder[0].shape[2] if encoder else cross[0].shape[3] if cross else 0
        named, texts = {}, first.shape[0]
        for key, names, wanted in (("tokens", self.tokens, first.shape[2]), ("source_tokens", self.source_tokens, sources)):
            if names is None:
                continue
            names = [list(each) for each in names] if names and all(isinstance(each, (list, tuple)) for each in names) else [list(names)]
            if len(names) != texts:
                raise CaptureError(f"{key} are given for {len(names)} texts and the batch has {texts}; give a list for each text, or one "
                                   "text alone with batch=.")
            for each in names:
                if not all(isinstance(name, str) for name in each):
                    raise CaptureError(f"{key} must be texts; of ids they are tokenizer.convert_ids_to_tokens(ids).")
                if len(each) != wanted:
                    raise CaptureError(f"{len(each)} {key} are given and the weights have {wanted}; give one for each, in the block "
                                       f"as c.{key} = [...] where generate() makes them.")
            named[key] = names
        return named

    def _gathered(self, own):
        out = [None] * self._processes()
        torch.distributed.all_gather_object(out, own, group=self.group)
        return out

    def _agreed(self, step):
        """step() in every process; if it fails in one, all say so, and none waits for another."""
        problem, out = None, None
        try:
            out = step()
        except CaptureError as error:
            problem = str(error)
        problems = self._gathered(problem)
        for rank, each in enumerate(problems):
            if each:
                raise CaptureError(each if len(set(problems)) == 1 else f"Process {rank}: {each}")
        return out

    def _write_pieces(self):
        rank, count = torch.distributed.get_rank(self.group), self._processes()
        base = self.path[:-len(".safetensors")] if self.path.endswith(".safetensors") else self.path
        index, own = f"{base}.index.json", f"{base}-rank{rank + 1:05}-of-{count:05}.safetensors"
        config = getattr(self.model, "config", None)
        described = self._agreed(lambda: {
            "file": os.path.basename(own), "named": self._named() if self.maps else {},
            "first": (self.first_head, self.first_layer, self.first_text),
            "heads": getattr(config, "num_attention_heads", None), "layers": getattr(config, "num_hidden_layers", None),
            "maps": {key: list(m.shape) for key, m in self.maps.items()}, "sums": {key: _digest(m) for key, m in self.maps.items()}})
        everyone = self._gathered(described)
        missing = self._unseen() if all(not each["maps"] for each in everyone) else ""
        if missing:
            raise CaptureError(missing)
        placed = place_pieces(everyone)
        seen = sorted({piece["layer"] for piece in placed["attention_pieces"]})
        if self.layers and (lost := sorted(self.layers - set(seen))):
            raise CaptureError(f"No attention was seen of the layers {lost}; those seen are {seen}.")
        wanted = {piece["tensor"] for piece in placed["attention_pieces"] if piece["file"] == os.path.basename(own)}

        def write_own():
            tensors = {f"{part}attention_{n}": m for (part, n), m in sorted(self.maps.items()) if f"{part}attention_{n}" in wanted}
            if tensors:
                texts = next(iter(tensors.values())).shape[0]
                write_safetensors(own, tensors, {"format": "pt", "texts": str(texts), "index": os.path.basename(index)})

        self._agreed(write_own)  # the index only when every piece is there
        self._agreed(lambda: write_whole(index, json.dumps(placed, ensure_ascii=False).encode()) if rank == 0 else None)


def place_pieces(everyone):
    """The index: which heads, layers and texts each process's maps are, from what all of them say. Processes count with the
    heads of a layer fastest, then texts, as their ranks do; what is said explicitly is taken."""
    having = [each for each in everyone if each["maps"]]
    stages = []  # processes with the same layers
    for each in having:
        each["keys"] = sorted(each["maps"])
        each["local"] = next(iter(each["maps"].values()))[1]
        stage = next((stage for stage in stages if stage[0]["keys"] == each["keys"] and stage[0]["first"][1] == each["first"][1]), None)
        stages.append([each]) if stage is None else stage.append(each)
    total = next((each["heads"] for each in having if each["heads"]), None)
    said_layers = next((each["layers"] for each in having if each["layers"]), None)
    own_layers = max(sum(1 for part, _ in each["maps"] if part in ("", "decoder_")) for each in having)
    if len(stages) == 1 and len(having) > 1 and said_layers and own_layers * len(having) == said_layers and total == having[0]["local"]:
        # Every process counts the layers of its own part from 0.
        for at, each in enumerate(having):
            if each["first"][1] is None:
                each["first"] = (each["first"][0], at * own_layers, each["first"][2])
        stages = [[each] for each in having]
    pieces, tokens = [], {}
    heads = total or 0
    for stage in stages:
        size, heads_of_stage = stage[0]["local"], total
        different = len({json.dumps(each["named"], sort_keys=True) for each in stage}) > 1
        copies = all(each["sums"] == stage[0]["sums"] for each in stage) and all(each["first"] == (None, stage[0]["first"][1], None) for each in stage)
        if heads_of_stage is None:
            if any(each["first"][0] is not None for each in stage):
                heads_of_stage = max((each["first"][0] or 0) + each["local"] for each in stage)
            elif len(stage) == 1 or copies or different or any(each["first"][2] is not None for each in stage):
                heads_of_stage = size
            elif stage[0]["named"]:
                heads_of_stage = sum(each["local"] for each in stage)
            else:
                raise CaptureError("Several processes captured the same layers, and it cannot be told whether they have heads of one text or "
                                   "texts of their own; say it with first_head= or first_text=, or give tokens=.")
        heads = max(heads, heads_of_stage)
        if size > heads_of_stage:
            raise CaptureError(f"A process has {size} heads, and the model says that a layer has {heads_of_stage}; say where they begin with first_head=.")
        copied = copies and size == heads_of_stage  # the same numbers in every process are one text
        head = text = 0
        for at, each in enumerate(stage[:1] if copied else stage):
            texts = next(iter(each["maps"].values()))[0]
            first_head = each["first"][0] if each["first"][0] is not None else head
            first_text = each["first"][2] if each["first"][2] is not None else text
            head = first_head + each["local"]
            if head >= heads_of_stage:
                head, text = 0, first_text + texts
            for key, names in each["named"].items():
                for i, names_of_text in enumerate(names):
                    known = tokens.setdefault(key, {}).setdefault(first_text + i, names_of_text)
                    if known != names_of_text:
                        raise CaptureError(f"Two processes name different {key} of text {first_text + i}; say which text is where with first_text=.")
            for (part, layer), shape in sorted(each["maps"].items()):
                pieces.append({"file": each["file"], "tensor": f"{part}attention_{layer}", "part": part, "layer": layer + (each["first"][1] or 0),
                               "first_head": first_head, "first_text": first_text, "shape": shape})
    count = max(piece["first_text"] + piece["shape"][0] for piece in pieces)
    check_pieces(pieces, heads, count)
    out = {"format": 1, "heads": heads, "texts": count, "attention_pieces": pieces}
    for key, names in tokens.items():
        if len(names) != count:
            raise CaptureError(f"{key} are given for {len(names)} of {count} texts; give them in every process, or in none.")
        out[key] = [names[i] for i in range(count)]
    return out


def check_pieces(pieces, heads, texts):
    """Each head of each layer of each text must be there once."""
    for part, layer in sorted({(piece["part"], piece["layer"]) for piece in pieces}):
        for text in range(texts):
            spans = sorted((piece["first_head"], piece["first_head"] + piece["shape"][1]) for piece in pieces
                           if (piece["part"], piece["layer"]) == (part, layer) and piece["first_text"] <= text < piece["first_text"] + piece["shape"][0])
            if [begin for begin, _ in spans] != [0] + [end for _, end in spans[:-1]] or spans[-1][1] != heads:
                raise CaptureError(f"Of {part}attention_{layer}, text {text}, the processes have the heads {[f'{a} to {b - 1}' for a, b in spans]}, and "
                                   f"0 to {heads - 1} are wanted, each once; say where they are with first_head=, first_layer= and first_text=.")


def _digest(tensor):
    """Equal for equal numbers, and surely different for others."""
    tensor = tensor.contiguous()
    return hashlib.sha256(ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size())).hexdigest()


def _slack(tensor):
    return {torch.float16: 5e-3, torch.bfloat16: 4e-2}.get(tensor.dtype, 1e-3)


def _are_alike(a, b):
    return bool((a.float() - b.float()).abs().max() < _slack(a))


def _are_weights(tensor):
    """Whether the rows are non-negative and sum to 1, or to 0 where a row is masked."""
    values = tensor.detach().float()
    sums, slack = values.sum(-1), _slack(tensor)
    return bool((values >= 0).all() and (((sums - 1).abs() < slack) | (sums == 0)).all() and (sums != 0).any())


def write_safetensors(path, tensors, metadata):
    if sys.byteorder != "little":
        raise CaptureError("safetensors are written on little-endian machines alone; run this on one.")
    header, at, tensors = {"__metadata__": metadata}, 0, {name: t.contiguous() for name, t in tensors.items()}
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": _TYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    write_whole(path, struct.pack("<Q", len(text)) + text,
                *((lambda t=t: ctypes.string_at(t.data_ptr(), t.numel() * t.element_size())) for t in tensors.values()))


def write_whole(path, begin, *rest):
    """The file whole or not at all: under another name first. rest: functions that return bytes."""
    temporary = None
    try:
        mask = os.umask(0)
        os.umask(mask)
        handle, temporary = tempfile.mkstemp(prefix=".attenscope-", dir=os.path.dirname(path) or ".")
        with os.fdopen(handle, "wb") as file:
            file.write(begin)
            for each in rest:
                file.write(each())
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
        temporary = None
    except OSError as problem:
        raise CaptureError(f"{path} could not be written: {problem.strerror}. Name a folder that can be written to and has room.") from problem
    finally:
        if temporary is not None:
            os.unlink(temporary)
