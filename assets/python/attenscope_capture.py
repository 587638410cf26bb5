"""Captures the attention of a PyTorch model while it runs, in a file that Attenscope opens. Needs PyTorch alone.

    from attenscope_capture import capture
    with capture(model, "run.safetensors", tokens=tokens):
        model(ids, output_attentions=True)
    # attenscope run.safetensors

Forward hooks read what attention modules return; nothing of the model is changed, and the hooks are gone afterwards.
With queries_keys=True the file has queries and keys in place of weights, and Attenscope computes the weights of a head when
it is looked at: such a file grows with the length of the text, not with its square. They are read where the model calls
torch.nn.functional.scaled_dot_product_attention, as attn_implementation="sdpa" does, behind positions and norms. With
residual=True the file has the residual stream, too: what each block hands to the next.
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
_HIDES = -1e4  # a number added to a score that is as low as this hides the key
_INPUT = -1  # the number of what the first block reads


class CaptureError(RuntimeError):
    """What happened, and what to do."""


class capture:
    """layers: which are kept, from 0; all without it. batch: which text of the batch, from 0; all without it, and then
    tokens is a list for each text. tokens and source_tokens may be set inside the block as well, where generate() makes
    them. queries_keys: these in place of weights. residual: the residual stream, too, of all layers. Of several processes:
    first_head, first_layer and first_text say where this one's heads, layers and texts begin, from 0, where that cannot be
    found out; group is the process group, all processes without it."""

    def __init__(self, model, path, tokens=None, source_tokens=None, layers=None, batch=None, first_head=None, first_layer=None,
                 first_text=None, group=None, queries_keys=False, residual=False):
        self.model, self.path, self.batch = model, os.fspath(path), batch
        self.first_head, self.first_layer, self.first_text, self.group = first_head, first_layer, first_text, group
        self.tokens, self.source_tokens = tokens, source_tokens
        self.layers = None if layers is None else set(layers)
        if self.layers and min(self.layers) == 1 and self._processes() == 1:
            raise CaptureError("The layers asked for begin with 1, which Attenscope reads as the first one; ask for layer 0 too.")
        self.maps = {}  # (part, layer): [texts, heads, queries, keys]
        self.compared = {}  # (part, layer): _Compared, in place of maps
        self.streams = {}  # (part, layer): [texts, tokens, width], behind this layer; _INPUT: in front of the first
        self.queries_keys, self.residual = queries_keys, residual
        self._modules, self._seen, self._hooks, self._not_weights = {}, [], [], False
        self._inside, self._attending, self._replaced = [], set(), []  # modules that run, outermost first; those that attended
        # A stack has modules of its own; BERT's last layer is called a decoder, too.
        parts = {part for name, module in model.named_modules() if any(True for _ in module.children()) for part in name.split(".")}
        self._two_sided = {"encoder", "decoder"} <= parts

    def __enter__(self):
        if self.model.training:
            raise CaptureError("The model is in training mode, where dropout changes the weights; call model.eval() first.")
        for kept in (self.maps, self.compared, self.streams, self._modules, self._attending):
            kept.clear()  # of a block before
        try:
            self._hooks.append(self.model.register_forward_pre_hook(self._begin))
            if self.queries_keys:
                self._read_calls()
            for name, module in self.model.named_modules():
                if self.queries_keys:
                    self._hooks.append(module.register_forward_pre_hook(lambda module, inputs, name=name: self._inside.append(name)))
                else:
                    self._hooks.append(module.register_forward_hook(self._hook(name)))
                words = name.split(".")
                if self.residual and words[-1].isdigit() and not any(word.isdigit() for word in words[:-1]):
                    self._hook_block(name, module, int(words[-1]))
                if self.queries_keys:
                    self._hooks.append(module.register_forward_hook(lambda module, inputs, output, name=name: self._leave(name)))
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
        for undo in reversed(self._replaced):
            undo()
        for kept in (self._hooks, self._replaced, self._seen, self._inside):
            kept.clear()

    def _begin(self, module, inputs):
        self._seen.clear()
        self._inside.clear()

    def _leave(self, name):
        while self._inside and self._inside.pop() != name:
            pass

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
        self._attending.add(name)
        part, layer = self._place(name)
        if self.layers is not None and layer not in self.layers:
            return
        if not _are_weights(tensor):  # such as a bias of positions
            self._not_weights = True
            return
        self._check_place(part, layer, tensor.shape[0], name, self.maps)
        self.maps[part, layer] = self._joined(part, layer, self._piece(tensor), name)

    def _check_place(self, part, layer, texts, name, known):
        if self.batch is not None and not 0 <= self.batch < texts:
            raise CaptureError(f"There is no text {self.batch} in a batch of {texts}, counted from 0; choose another with batch=.")
        if self._modules.setdefault((part, layer), name) != name:
            raise CaptureError(f"Two modules return the attention of layer {layer}, {self._modules[part, layer]} and {name}; "
                               "capture the part of the model that has one of them.")
        if (part, layer) in known and texts > 1:
            raise CaptureError(f"{name} writes {texts} texts at once, and beams change places between steps, unseen here; "
                               "write one text at a time, with num_beams=1.")

    def _piece(self, tensor):
        """A copy of the texts that are kept."""
        if hasattr(tensor, "to_local"):
            tensor = tensor.to_local()
        piece = tensor.detach()[slice(None) if self.batch is None else slice(self.batch, self.batch + 1)].to("cpu", copy=True)
        return piece if piece.dtype in _TYPES else piece.float()

    def _read_calls(self):
        """Puts a function that looks in front of the one that models call."""
        functional = torch.nn.functional
        real = getattr(functional, "scaled_dot_product_attention", None)
        if real is None:
            raise CaptureError("Queries and keys are read where the model calls torch.nn.functional.scaled_dot_product_attention, which "
                               f"PyTorch has from 2.0 on, and this is {torch.__version__}; take a newer one, or capture weights.")

        def attend(*args, **more):
            if self._inside:
                self._compare(self._inside[-1], *args, **more)
            return real(*args, **more)

        functional.scaled_dot_product_attention = attend
        self._replaced.append(lambda: setattr(functional, "scaled_dot_product_attention", real))
        fast = getattr(torch.backends, "mha", None)  # computes without that function
        if fast is not None and fast.get_fastpath_enabled():
            fast.set_fastpath_enabled(False)
            self._replaced.append(lambda: fast.set_fastpath_enabled(True))

    def _compare(self, name, query, key, value=None, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
        part, layer = self._place(name)
        self._attending.add(name)
        if self.layers is not None and layer not in self.layers:
            return
        if query.dim() != 4 or key.dim() != 4 or query.shape[1] % key.shape[1] or query.shape[3] != key.shape[3]:
            raise CaptureError(f"{name} compares queries {tuple(query.shape)} with keys {tuple(key.shape)}; [texts, heads, tokens, width] is "
                               "read, with as many heads of queries for each of keys. Capture weights instead.")
        if dropout_p:
            raise CaptureError(f"{name} drops out weights at random; call model.eval() first.")
        self._check_place(part, layer, query.shape[0], name, self.compared)
        seen = _seen_keys(name, attn_mask, is_causal, query.shape[0], query.shape[2], key.shape[2])
        if self.batch is not None:
            seen = seen[self.batch:self.batch + 1]
        piece = _Compared(self._piece(query), self._piece(key), seen, float(query.shape[3] ** -0.5 if scale is None else scale))
        before = self.compared.get((part, layer))
        if before is not None and before.scale != piece.scale:
            raise CaptureError(f"{name} scales its scores by {piece.scale}, and before by {before.scale}; capture each text in a block of its own.")
        self.compared[part, layer] = self._joined_compared(part, layer, piece, name)

    def _joined_compared(self, part, layer, piece, name):
        """The steps of writing one under another, as of maps."""
        before = self.compared.get((part, layer))
        rows = 0 if before is None else before.rows
        queries, keys = piece.rows, piece.keys[0].shape[2]
        if part == "cross_":
            own = self.compared.get(("decoder_" if self._two_sided else "", layer))
            if before is None or (own is not None and own.rows == queries):
                return piece
            if keys != before.keys[0].shape[2] or (own is not None and own.rows != rows + queries):
                raise CaptureError(f"{name} looked at another text than before; capture each text in a block of its own.")
            return before.followed_by(piece, 0, 0)
        longer = before is not None and queries > rows and part != "encoder_"
        if queries == keys and (before is None or (longer and _are_alike(piece.queries[0][:, :, :rows], before.whole().queries[0]))):
            return piece  # without a cache each step computes all of it again
        if queries == keys and before is not None:
            raise CaptureError(f"{name} ran again on a text of its own; capture each text in a block of its own. "
                               "(Layers that share one module cannot be told apart.)")
        total = rows + queries
        changed = rows > 0 and keys >= rows and not _are_alike(piece.keys[0][:, :, rows - 1], before.keys[-1][:, :, -1])
        if keys < total or changed or bool((piece.seen[0][..., 1] > total).any()):
            raise CaptureError(f"{name} has {keys} keys after {total} queries: the capture began in the middle of a text, or the cache "
                               "drops tokens. Begin with an empty cache, and use one that keeps all tokens.")
        return piece.without_keys_from(total) if before is None else before.followed_by(piece, rows, total)

    def _hook_block(self, name, module, number):
        """Whether it is a block of the model, attention tells, which then has run in it."""
        def is_block():
            return any(other == name or other.startswith(name + ".") for other in self._attending)

        part = lambda: self._place(name)[0]
        read = []  # what it read, until it is known to be one

        def before(module, inputs, more=None):
            first = inputs[0] if inputs else (more or {}).get("hidden_states")
            read[:] = [first] if number == 0 and isinstance(first, torch.Tensor) else []

        def behind(module, inputs, output):
            first = output[0] if isinstance(output, (tuple, list)) and output else output
            if is_block():
                for number_of, tensor in ([(_INPUT, read[0])] if read else []) + [(number, first)]:
                    self._take_stream(part(), number_of, tensor, name)
            read.clear()

        try:
            self._hooks.append(module.register_forward_pre_hook(before, with_kwargs=True))
        except TypeError:  # of an older PyTorch
            self._hooks.append(module.register_forward_pre_hook(before))
        self._hooks.append(module.register_forward_hook(behind))

    def _take_stream(self, part, number, tensor, name):
        if not isinstance(tensor, torch.Tensor) or tensor.dim() != 3 or not tensor.is_floating_point():
            raise CaptureError(f"{name} hands on no [texts, tokens, width] that could be the residual stream; capture without residual=True.")
        piece, before = self._piece(tensor), self.streams.get((part, number))
        if before is not None and (before.shape[0] != piece.shape[0] or before.shape[2] != piece.shape[2]):
            raise CaptureError(f"{name} ran on other texts than before; capture each text in a block of its own.")
        again = before is not None and piece.shape[1] > before.shape[1] and _are_alike(piece[:, :before.shape[1]], before)
        if before is not None and part == "encoder_":
            raise CaptureError(f"{name} ran again on a text of its own; capture each text in a block of its own.")
        self.streams[part, number] = piece if before is None or again else torch.cat((before, piece), 1)

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
        named, texts = self._named(), self._texts()
        self._check_streams()
        metadata = {"format": "pt", **({"texts": str(texts)} if texts > 1 else {})}
        metadata.update((key, json.dumps(names if texts > 1 else names[0])) for key, names in named.items())
        said = self._said()
        for key in ("scale", "causal") if said else ():
            metadata[key] = json.dumps({f"{part}queries_{n}": each[key] for (part, n), each in said.items()})
        write_safetensors(self.path, {name: t if texts > 1 else t[0] for name, t in self._tensors().items()}, metadata)

    def _shapes(self):
        """[texts, heads, queries, keys] of each layer of each part."""
        return {**{key: list(m.shape) for key, m in self.maps.items()}, **{key: each.shape() for key, each in self.compared.items()}}

    def _texts(self):
        return next(iter(self._shapes().values()))[0]

    def _tensors(self):
        out = {f"{part}attention_{n}": m for (part, n), m in sorted(self.maps.items())}
        for (part, n), each in sorted(self.compared.items()):
            each.unrepeated()
            out[f"{part}queries_{n}"], out[f"{part}keys_{n}"] = each.queries[0], each.keys[0]
            if each.causal() is None:
                out[f"{part}seen_{n}"] = each.seen[0].float()
        for (part, n), stream in sorted(self.streams.items()):
            out[f"{part}residual_{'input' if n == _INPUT else n}"] = stream
        return out

    def _said(self):
        return {key: {"scale": each.scale, "causal": bool(each.causal())} for key, each in sorted(self.compared.items())}

    def _check_streams(self):
        if not self.residual:
            return
        if not self.streams:
            raise CaptureError("No residual stream was seen: no numbered block with an attention in it handed on [texts, tokens, width]. "
                               "Capture without residual=True.")
        shapes = self._shapes()
        for (part, number), stream in self.streams.items():
            tokens = {shape[2] for (other, _), shape in shapes.items() if other == part}
            if tokens and tokens != {stream.shape[1]}:
                raise CaptureError(f"The residual stream has {stream.shape[1]} tokens and attention {sorted(tokens)}; capture each text in a "
                                   "block of its own.")

    def _unseen(self):
        """What is wrong if no attention was seen, or none of a layer."""
        if not self._shapes():
            if self.queries_keys:
                return ("No attention was seen, so nothing was written. Call the model inside the block, and load it with "
                        "attn_implementation=\"sdpa\": queries and keys are read where torch.nn.functional.scaled_dot_product_attention is called.")
            return ("No attention was seen, so nothing was written. "
                    + ("Arrays of four dimensions were there, but their rows do not sum to 1: Attenscope wants the weights after softmax, "
                       "as eager attention returns them." if self._not_weights else
                       "Call the model inside the block, with output_attentions=True, and load it with attn_implementation=\"eager\": "
                       "fused attention returns no weights."))
        seen = sorted({layer for _, layer in self._shapes()})
        missing = sorted((self.layers or set()) - set(seen))
        return missing and f"No attention was seen of the layers {missing}; those seen are {seen}."

    def _named(self):
        """The tokens of each text, checked: {"tokens": [["a", …], …]}."""
        shapes = self._shapes()
        own = [shape for (part, _), shape in shapes.items() if part in ("", "decoder_")]
        cross = [shape for (part, _), shape in shapes.items() if part == "cross_"]
        encoder = [shape for (part, _), shape in shapes.items() if part == "encoder_"]
        first = (own or cross or encoder)[0]
        sources = encoder[0][2] if encoder else cross[0][3] if cross else 0
        named, texts = {}, first[0]
        for key, names, wanted in (("tokens", self.tokens, first[2]), ("source_tokens", self.source_tokens, sources)):
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
        tensors = self._agreed(lambda: self._check_streams() or self._tensors())
        described = self._agreed(lambda: {
            "file": os.path.basename(own), "named": self._named() if self._shapes() else {},
            "first": (self.first_head, self.first_layer, self.first_text),
            "heads": getattr(config, "num_attention_heads", None), "layers": getattr(config, "num_hidden_layers", None),
            "maps": self._shapes(), "sums": {name: _digest(tensor) for name, tensor in tensors.items()},
            "compared": {key: {**said, "key_shape": list(self.compared[key].keys[0].shape), "queries_shape": list(self.compared[key].queries[0].shape)}
                         for key, said in self._said().items()},
            "streams": {key: list(stream.shape) for key, stream in self.streams.items()}})
        everyone = self._gathered(described)
        missing = self._unseen() if all(not each["maps"] for each in everyone) else ""
        if missing:
            raise CaptureError(missing)
        placed = place_pieces(everyone)
        seen = sorted({piece["layer"] for piece in placed["attention_pieces"]})
        if self.layers and (lost := sorted(self.layers - set(seen))):
            raise CaptureError(f"No attention was seen of the layers {lost}; those seen are {seen}.")
        mine = [piece for piece in placed["attention_pieces"] + placed.get("stream_pieces", []) if piece["file"] == os.path.basename(own)]
        wanted = {piece[key] for piece in mine for key in ("tensor", "keys", "seen") if key in piece}

        def write_own():
            kept = {name: tensor for name, tensor in tensors.items() if name in wanted}
            if kept:
                write_safetensors(own, kept, {"format": "pt", "texts": str(self._texts()), "index": os.path.basename(index)})

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
    pieces, streams, tokens = [], [], {}
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
                piece = {"file": each["file"], "tensor": f"{part}attention_{layer}", "part": part, "layer": layer + (each["first"][1] or 0),
                         "first_head": first_head, "first_text": first_text, "shape": shape}
                if (part, layer) in each["compared"]:
                    said = each["compared"][part, layer]
                    piece.update(tensor=f"{part}queries_{layer}", keys=f"{part}keys_{layer}", shape=said["queries_shape"],
                                 key_shape=said["key_shape"], scale=said["scale"], causal=said["causal"])
                    if f"{part}seen_{layer}" in each["sums"]:
                        piece["seen"] = f"{part}seen_{layer}"
                pieces.append(piece)
            for (part, layer), shape in sorted(each["streams"].items()):
                if layer == _INPUT and (each["first"][1] or 0) > 0:
                    continue  # what the stage before handed on
                streams.append({"file": each["file"], "tensor": f"{part}residual_{'input' if layer == _INPUT else layer}", "part": part,
                                "layer": _INPUT if layer == _INPUT else layer + (each["first"][1] or 0), "first_text": first_text, "shape": shape})
    count = max(piece["first_text"] + piece["shape"][0] for piece in pieces)
    check_pieces(pieces, heads, count)
    out = {"format": 1, "heads": heads, "texts": count, "attention_pieces": pieces}
    if streams:  # processes that have heads of one text have the same stream
        known = {(piece["part"], piece["layer"], piece["first_text"]): piece for piece in reversed(streams)}
        out["stream_pieces"] = [piece for piece in streams if known[piece["part"], piece["layer"], piece["first_text"]] is piece]
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


class _Compared:
    """Queries, keys and the keys that each query sees, as pieces one behind another, of [texts, heads, tokens, width] and
    [texts, queries, 2]: the first key and the one behind the last."""

    def __init__(self, queries, keys, seen, scale):
        self.queries, self.keys, self.seen, self.scale = [queries], [keys], [seen], scale
        self.rows = queries.shape[2]

    def followed_by(self, piece, first_key, past_key):
        """The same with the next step's queries, and with its keys from the first to the last new one."""
        self.queries += piece.queries
        self.seen += piece.seen
        if past_key > first_key:
            self.keys.append(piece.keys[0][:, :, first_key:past_key].clone())
        self.rows += piece.rows
        return self

    def without_keys_from(self, past):
        self.keys[0] = self.keys[0][:, :, :past].clone()
        return self

    def whole(self):
        """The pieces joined, and each of keys that several heads share once."""
        if len(self.queries) > 1:
            self.queries, self.seen = [torch.cat(self.queries, 2)], [torch.cat(self.seen, 1)]
        if len(self.keys) > 1:
            self.keys = [torch.cat(self.keys, 2)]
        return self

    def unrepeated(self):
        self.whole()
        keys, heads = self.keys[0], self.queries[0].shape[1]
        if keys.shape[1] == heads:
            alike = [bool(torch.equal(keys[:, h], keys[:, h + 1])) for h in range(heads - 1)]
            for size in range(heads, 1, -1):
                if heads % size == 0 and all(same for h, same in enumerate(alike) if (h + 1) % size):
                    self.keys = [keys[:, ::size].clone()]
                    break
        return self

    def shape(self):
        return [self.queries[0].shape[0], self.queries[0].shape[1], self.rows, sum(keys.shape[2] for keys in self.keys)]

    def causal(self):
        """Whether each query sees all keys up to its own; None: neither that nor all keys."""
        texts, _, rows, keys = self.shape()
        seen = torch.cat(self.seen, 1)
        if bool((seen[..., 0] == 0).all()):
            if bool((seen[..., 1] == keys).all()):
                return False
            if rows == keys and bool((seen[..., 1] == torch.arange(1, rows + 1)).all()):
                return True
        return None


def _seen_keys(name, mask, causal, texts, queries, keys):
    """[texts, queries, 2]: the first key that each query sees, and the one behind the last."""
    if mask is None:
        rows = torch.arange(1, queries + 1).clamp(max=keys) if causal else torch.full((queries,), keys)
        return torch.stack((torch.zeros_like(rows), rows), -1).expand(texts, -1, -1).clone()
    mask = mask.detach()
    if mask.dtype != torch.bool:
        if not bool(((mask == 0) | (mask <= _HIDES)).all()):
            raise CaptureError(f"{name} adds a bias to its scores, as for positions, and a file of queries and keys has no room for one; "
                               "capture weights instead.")
        mask = mask == 0
    mask = mask.reshape((1,) * (4 - mask.dim()) + tuple(mask.shape)).to("cpu")
    if mask.shape[1] > 1 and not bool((mask == mask[:, :1]).all()):
        raise CaptureError(f"{name} hides other keys from each head; capture weights instead.")
    mask = mask[:, 0].expand(texts, queries, keys)
    count, first = mask.sum(-1), mask.int().argmax(-1)
    past = torch.where(count > 0, keys - mask.flip(-1).int().argmax(-1), first)
    if not bool((past - first == count).all()):
        raise CaptureError(f"{name} hides keys in the middle of those that a query sees; capture weights instead.")
    return torch.stack((first, past), -1)


def _digest(tensor):
    """Equal for equal numbers, and surely different for others."""
    tensor = tensor.contiguous()
    return hashlib.sha256(ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size())).hexdigest()


def _slack(tensor):
    return {torch.float16: 5e-3, torch.bfloat16: 4e-2}.get(tensor.dtype, 1e-3)


def _are_alike(a, b):
    apart, most = (a.float() - b.float()).abs().max(), max(1.0, float(b.float().abs().max()))
    return bool(apart < _slack(a) * most)


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
