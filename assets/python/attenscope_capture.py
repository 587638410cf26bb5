"""Captures the attention of a PyTorch model while it runs, in a file that Attenscope opens. Needs PyTorch alone.

    from attenscope_capture import capture
    with capture(model, "run.safetensors", tokens=tokens):
        model(ids, output_attentions=True)
    # attenscope run.safetensors

Forward hooks read what attention modules return; nothing of the model is changed, and the hooks are gone afterwards.
"""

import ctypes
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
    """layers: which are kept, from 0; all without it. batch: which text of the batch. tokens and source_tokens may be set
    inside the block as well, where generate() makes them."""

    def __init__(self, model, path, tokens=None, source_tokens=None, layers=None, batch=0):
        self.model, self.path, self.batch = model, os.fspath(path), batch
        self.tokens, self.source_tokens = tokens, source_tokens
        self.layers = None if layers is None else set(layers)
        if self.layers and min(self.layers) == 1:
            raise CaptureError("The layers asked for begin with 1, which Attenscope reads as the first one; ask for layer 0 too.")
        self.maps = {}  # (part, layer): [heads, queries, keys]
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
        if not 0 <= self.batch < tensor.shape[0]:
            raise CaptureError(f"There is no text {self.batch} in a batch of {tensor.shape[0]}, counted from 0; choose another with batch=.")
        if self._modules.setdefault((part, layer), name) != name:
            raise CaptureError(f"Two modules return the attention of layer {layer}, {self._modules[part, layer]} and {name}; "
                               "capture the part of the model that has one of them.")
        if (part, layer) in self.maps and tensor.shape[0] > 1:
            raise CaptureError(f"{name} writes {tensor.shape[0]} texts at once, and beams change places between steps, unseen here; "
                               "write one text at a time, with num_beams=1.")
        piece = tensor.detach()[self.batch].to("cpu", copy=True)
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
        rows = 0 if before is None else before.shape[1]
        queries, keys = piece.shape[1:]
        if part == "cross_":
            own = self.maps.get(("decoder_" if self._two_sided else "", layer))
            if before is None or (own is not None and own.shape[1] == queries):
                return piece
            if keys != before.shape[2] or (own is not None and own.shape[1] != rows + queries):
                raise CaptureError(f"{name} looked at another text than before; capture each text in a block of its own.")
            return torch.cat((before, piece), 1)
        if queries == keys and (before is None or (queries > rows and part != "encoder_" and _are_alike(piece[:, :rows, :rows], before))):
            return piece  # without a cache each step computes all of it again
        if queries == keys and before is not None:
            raise CaptureError(f"{name} ran again on a text of its own; capture each text in a block of its own. "
                               "(Layers that share one module cannot be told apart.)")
        total = rows + queries
        if keys < total or bool(piece[:, :, total:].any()):
            raise CaptureError(f"{name} has {keys} keys after {total} queries: the capture began in the middle of a text, or the cache "
                               "drops tokens. Begin with an empty cache, and use one that keeps all tokens.")
        out = torch.zeros(piece.shape[0], total, total, dtype=piece.dtype)
        if before is not None:
            out[:, :rows, :rows] = before
        out[:, rows:] = piece[:, :, :total]
        return out

    def _write(self):
        if not self.maps:
            raise CaptureError(
                "No attention was seen, so nothing was written. "
                + ("Arrays of four dimensions were there, but their rows do not sum to 1: Attenscope wants the weights after softmax, as "
                   "eager attention returns them." if self._not_weights else
                   "Call the model inside the block, with output_attentions=True, and load it with attn_implementation=\"eager\": "
                   "fused attention returns no weights."))
        missing = sorted((self.layers or set()) - {layer for _, layer in self.maps})
        if missing:
            raise CaptureError(f"No attention was seen of the layers {missing}; those seen are {sorted({n for _, n in self.maps})}.")
        own = [m for (part, _), m in self.maps.items() if part in ("", "decoder_")]
        cross = [m for (part, _), m in self.maps.items() if part == "cross_"]
        encoder = [m for (part, _), m in self.maps.items() if part == "encoder_"]
        queries = (own or cross or encoder)[0].shape[1]
        sources = encoder[0].shape[1] if encoder else cross[0].shape[2] if cross else 0
        metadata = {"format": "pt"}
        for key, names, wanted in (("tokens", self.tokens, queries), ("source_tokens", self.source_tokens, sources)):
            if names is None:
                continue
            names = list(names)
            if not all(isinstance(name, str) for name in names):
                raise CaptureError(f"{key} must be texts; of ids they are tokenizer.convert_ids_to_tokens(ids).")
            if len(names) != wanted:
                raise CaptureError(f"{len(names)} {key} are given and the weights have {wanted}; give one for each, in the block "
                                   f"as c.{key} = [...] where generate() makes them.")
            metadata[key] = json.dumps(names)
        write_safetensors(self.path, {f"{part}attention_{n}": m for (part, n), m in sorted(self.maps.items())}, metadata)


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
    """The file whole or not at all: under another name first."""
    if sys.byteorder != "little":
        raise CaptureError("safetensors are written on little-endian machines alone; run this on one.")
    header, at, tensors = {"__metadata__": metadata}, 0, {name: t.contiguous() for name, t in tensors.items()}
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": _TYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    temporary = None
    try:
        mask = os.umask(0)
        os.umask(mask)
        handle, temporary = tempfile.mkstemp(prefix=".attenscope-", dir=os.path.dirname(path) or ".")
        with os.fdopen(handle, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for tensor in tensors.values():
                file.write(ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()))
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
        temporary = None
    except OSError as problem:
        raise CaptureError(f"{path} could not be written: {problem.strerror}. Name a folder that can be written to and has room.") from problem
    finally:
        if temporary is not None:
            os.unlink(temporary)
