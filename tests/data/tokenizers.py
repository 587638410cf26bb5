#!/usr/bin/python3
"""Small tokenizers in the layouts of checkpoints, and the tokens of many lines, by a second implementation.

    tokenizers.py FOLDER LINES [NAME ...]

writes FOLDER/NAME/{tokenizer.json, vocab.json, merges.txt, vocab.txt, spiece.model} as far as NAME has them, and
FOLDER/NAME/vectors.json: a list of [text, [ids], [begin, end, ...]] with the spans in bytes of the text. Everything is
made here from a seed; nothing is copied from a real vocabulary. The tokenization below follows the plain definitions and
is slow but short: merges one by one over the whole word, Viterbi over all ends, patterns as loops over characters.
"""

import collections
import json
import os
import random
import re
import struct
import sys
import unicodedata

import tokenizers_cut as cut
from tokenizers_lines import make_lines

def learn_merges(words, count):
    """Trains byte-pair encoding on lists of symbols; ties go to the pair that sorts first."""
    counts = collections.Counter(tuple(word) for word in words if word)
    words, times = [list(word) for word in counts], list(counts.values())
    merges = []
    for _ in range(count):
        pairs = {}
        for word, often in zip(words, times):
            for pair in zip(word, word[1:]):
                pairs[pair] = pairs.get(pair, 0) + often
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for at, word in enumerate(words):
            if best[0] in word:
                words[at] = cut.merge_once(word, best)
    return merges


def vocabulary_of(symbols, merges):
    vocab = {}
    for symbol in list(symbols) + [a + b for a, b in merges]:
        vocab.setdefault(symbol, len(vocab))
    return vocab


def added(content, number, **more):
    return {"id": number, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
            "special": True, **more}


def template(before, after, vocab):
    names = before + after
    single = [{"SpecialToken": {"id": n, "type_id": 0}} for n in before] + [{"Sequence": {"id": "A", "type_id": 0}}]
    single += [{"SpecialToken": {"id": n, "type_id": 0}} for n in after]
    return {"type": "TemplateProcessing", "single": single, "pair": single,
            "special_tokens": {n: {"id": n, "ids": [vocab[n]], "tokens": [n]} for n in names}}


def byte_level(name, pattern, sample, options):
    words = [cut.to_letters(w) for line in sample for w in cut.PATTERNS[pattern](cut.chars_of(line))]
    merges = learn_merges([[c for c, _, _ in word] for word in words], 220)
    vocab = vocabulary_of([cut.LETTERS[b] for b in range(256)], merges)
    for extra in ["<s>", "</s>", "<|end|>", "[MASK]"]:
        vocab[extra] = len(vocab)
    tokens = [added("<s>", vocab["<s>"]), added("</s>", vocab["</s>"]),
              added("<|end|>", vocab["<|end|>"], rstrip=True, special=False),
              added("[MASK]", vocab["[MASK]"], lstrip=True, single_word=True)]
    if pattern == "gpt2":
        split = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    else:
        split = {"type": "Sequence", "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": cut.EXPRESSIONS[pattern]}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}]}
    content = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": tokens,
               "normalizer": {"type": "NFC"} if options.get("nfc") else None, "pre_tokenizer": split,
               "post_processor": template(options.get("before", []), options.get("after", []), vocab),
               "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
               "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": "",
                         "end_of_word_suffix": "", "fuse_unk": False, "byte_fallback": False,
                         "ignore_merges": options.get("ignore_merges", False), "vocab": vocab,
                         "merges": [list(m) if options.get("pairs") else " ".join(m) for m in merges]}}
    if options.get("ignore_merges"):  # a token that results from no merge
        odd = cut.LETTERS[32] + "attention"
        if odd not in vocab:
            vocab[odd] = len(vocab)
    files = {"tokenizer.json": content}
    if pattern == "gpt2":
        files["vocab.json"] = vocab
        files["merges.txt"] = "#version: 0.2\n" + "".join(" ".join(m) + "\n" for m in merges)
        files["tokenizer_config.json"] = {
            "tokenizer_class": "GPT2Tokenizer", "bos_token": "<s>",
            "added_tokens_decoder": {str(t["id"]): {k: v for k, v in t.items() if k != "id"} for t in tokens}}
    ranks = {m: i for i, m in enumerate(merges)}

    def encode(line):
        def one(chars):
            if options.get("nfc"):
                chars = cut.normal_form(chars, "NFC")
            for word in cut.PATTERNS[pattern](chars):
                symbols = cut.to_letters(word)
                whole = "".join(c for c, _, _ in symbols)
                if options.get("ignore_merges") and whole in vocab:
                    yield vocab[whole], cut.span(symbols)
                    continue
                for group in cut.bpe([[s] for s in symbols], lambda a, b: ranks.get((a, b))):
                    yield vocab["".join(c for c, _, _ in group)], cut.span(group)
        out = cut.with_added(line, tokens, one)
        return cut.around(out, line, [vocab[n] for n in options.get("before", [])], [vocab[n] for n in options.get("after", [])])

    return name, files, encode


def word_pieces(name, sample):
    words = {}
    for line in sample:
        for word in cut.bert_words(cut.bert_normalize(cut.chars_of(line))):
            words["".join(c for c, _, _ in word)] = 1
    symbols = sorted({c for w in words for c in w})
    vocab = {t: i for i, t in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])}
    known = [s for i, s in enumerate(symbols) if i % 11 != 3]  # some are missing
    for token in known + ["##" + s for s in known] + [w for w in sorted(words)[::3] if len(w) < 12] + \
            ["##" + w[len(w) // 2:] for w in sorted(words)[::2] if 3 < len(w) < 12]:
        vocab.setdefault(token, len(vocab))
    tokens = [added(t, vocab[t], lstrip=t == "[MASK]") for t in ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]]
    content = {"version": "1.0", "added_tokens": tokens,
               "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                              "strip_accents": None, "lowercase": True},
               "pre_tokenizer": {"type": "BertPreTokenizer"},
               "post_processor": template(["[CLS]"], ["[SEP]"], vocab),
               "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
               "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                         "max_input_chars_per_word": 25, "vocab": vocab}}
    files = {"tokenizer.json": content, "vocab.txt": "".join(t + "\n" for t in vocab)}

    def encode(line):
        def one(chars):
            for word in cut.bert_words(cut.bert_normalize(chars)):
                yield from cut.word_piece(word, vocab, 25)
        return cut.around(cut.with_added(line, tokens, one), line, [vocab["[CLS]"]], [vocab["[SEP]"]])

    return name, files, encode


def spaced_pieces(sample, mark="\u2581"):
    """Pieces of words with a marker in front, and letters, some of which are missing."""
    words = sorted({mark + w for line in sample for w in line.split(" ") if w and len(w) < 20})
    letters = sorted({c for w in words for c in w})
    letters = [c for i, c in enumerate(letters) if i % 9 != 4 or c == mark]
    pieces = dict.fromkeys(letters)
    for at, word in enumerate(words):
        for piece in (word, word[1:], word[:3], word[2:5], word[-3:])[at % 3::2]:
            if len(piece) > 1:
                pieces.setdefault(piece)
    return list(pieces)


def unigram(name, sample, dice, options):
    pieces = [("<unk>", 0.0)] + [(p, -dice.randrange(20, 160) / 8) for p in spaced_pieces(sample) if p != "</s>"]
    if options.get("bytes"):
        pieces += [("<0x%02X>" % b, -20.0) for b in range(256)]
    pieces += [("</s>", 0.0)]
    vocab = {p: i for i, (p, _) in enumerate(pieces)}
    tokens = [added("<unk>", 0), added("</s>", vocab["</s>"])]
    content = {"version": "1.0", "added_tokens": tokens,
               "normalizer": {"type": "Sequence", "normalizers": [
                   {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
               "pre_tokenizer": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": options["scheme"], "split": True},
               "post_processor": template([], ["</s>"], vocab),
               "decoder": {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": options["scheme"], "split": True},
               "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": bool(options.get("bytes")),
                         "vocab": [[p, s] for p, s in pieces]}}
    scores = dict(pieces)

    def encode(line):
        def one(chars):
            chars = cut.shrink_spaces(cut.normal_form(chars, "NFKC"))
            for word in cut.metaspace(chars, options["scheme"]):
                yield from cut.unigram(word, scores, vocab, 0, bool(options.get("bytes")))
        return cut.around(cut.with_added(line, tokens, one), line, [], [vocab["</s>"]])

    return name, {"tokenizer.json": content}, encode


def llama(name, sample):
    """SentencePiece's merges in tokenizer.json: a marker in front, no pre-tokenization, bytes for missing characters."""
    texts = [("\u2581" + line.replace(" ", "\u2581")) for line in sample if line]
    merges = learn_merges([w for t in texts for w in cut.parted("\u2581", t)], 200)
    letters = sorted({c for t in texts for c in t if ord(c) < 0x400 or c == "\u2581"})
    merges = [m for m in merges if all(c in letters for c in m[0] + m[1])]
    vocab = vocabulary_of(["<unk>", "<s>", "</s>"] + ["<0x%02X>" % b for b in range(256)] + letters, merges)
    tokens = [added(t, vocab[t], normalized=False) for t in ["<unk>", "<s>", "</s>"]]
    content = {"version": "1.0", "added_tokens": tokens,
               "normalizer": {"type": "Sequence", "normalizers": [
                   {"type": "Prepend", "prepend": "\u2581"},
                   {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]},
               "pre_tokenizer": None, "post_processor": template(["<s>"], [], vocab),
               "decoder": {"type": "Sequence", "decoders": [
                   {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "}, {"type": "ByteFallback"},
                   {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
               "model": {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
                         "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True, "vocab": vocab,
                         "merges": [" ".join(m) for m in merges]}}
    ranks = {m: i for i, m in enumerate(merges)}

    def encode(line):
        def one(chars):
            chars = cut.prefixed([(("\u2581" if c == " " else c), b, e) for c, b, e in chars], "\u2581")
            symbols = []
            for c, b, e in chars:
                symbols += [[(c, b, e)]] if c in vocab else [[("<0x%02X>" % x, b, e)] for x in c.encode()]
            for group in cut.bpe(symbols, lambda a, b: ranks.get((a, b))):
                yield vocab["".join(c for c, _, _ in group)], cut.span(group)
        return cut.around(cut.with_added(line, tokens, one), line, [vocab["<s>"]], [])

    return name, {"tokenizer.json": content}, encode


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, content):
    if isinstance(content, bytes):
        return varint(number << 3 | 2) + varint(len(content)) + content
    if isinstance(content, float):
        return varint(number << 3 | 5) + struct.pack("<f", content)
    return varint(number << 3) + varint(content)


def charsmap(table):
    """A double array in the layout of darts-clone, with a block of 256 units for each node: simple, but not small."""
    nodes, texts, values = [{}], b"", {}
    for key, value in sorted(table.items()):
        at = 0
        for byte in key.encode():
            at = nodes[at].setdefault(byte, len(nodes))
            if at == len(nodes):
                nodes.append({})
        values[at] = len(texts)
        texts += value.encode() + b"\0"
    units = [0] * (256 * (len(nodes) + 1))
    place = {0: 0}
    for node, children in enumerate(nodes):
        base, here = 256 * (node + 1), place[node]
        offset = base ^ here
        units[here] |= (offset << 10) if offset < 1 << 21 else ((offset >> 8) << 10 | 1 << 9)
        if node in values:
            units[here] |= 1 << 8
            units[base] = values[node] | 1 << 31
        for byte, child in children.items():
            place[child] = base ^ byte
            units[base ^ byte] = byte
    return struct.pack("<I", 4 * len(units)) + struct.pack("<%dI" % len(units), *units) + texts


CHARS = {"ﬁ": "fi", "①": "1", "½": "1/2", "\u3000": " ", "\t": " ", "\n": " ", "e\u0301": "é", "e": "e", "ｆ": "f", "ｆｕ": "FU"}


def piece_file(pieces, merging, with_bytes):
    content = b"".join(field(1, field(1, p.encode()) + field(2, s) + (field(3, t) if t != 1 else b"")) for p, s, t in pieces)
    content += field(2, field(3, 2 if merging else 1) + field(35, int(with_bytes)) + field(99, b"unknown fields are skipped"))
    return content + field(3, field(1, b"own") + field(2, charsmap(CHARS)))


def sentence_piece(name, sample, dice, merging, with_bytes):
    pieces = [("<unk>", 0.0, 2), ("<s>", 0.0, 3), ("</s>", 0.0, 3), ("[MASK]", 0.0, 4)]
    if with_bytes:
        pieces += [("<0x%02X>" % b, 0.0, 6) for b in range(256)]
    normal = [p for p in spaced_pieces(sample) if p not in [q for q, _, _ in pieces]]
    if merging:  # as in training: the later a piece was made, the lower its score; letters are last
        merged = learn_merges([w for line in sample if line for w in
                               cut.parted("\u2581", "\u2581" + line.replace(" ", "\u2581"))], 200)
        letters = [p for p in normal if len(p) == 1]
        made = [m for m in dict.fromkeys(a + b for a, b in merged)
                if all(c in letters for c in m) and m not in [q for q, _, _ in pieces]]
        scored = [(p, -float(i), 1) for i, p in enumerate(made)] + [(p, -float(len(made)), 1) for p in letters]
    else:
        scored = [(p, cut.single(-dice.randrange(20, 160) / 10), 1) for p in normal]
    pieces += scored
    content = piece_file(pieces, merging, with_bytes)
    vocab = {p: i for i, (p, _, _) in enumerate(pieces)}
    scores = {p: s for p, s, t in pieces if t == 1}
    tokens = [added(p, vocab[p], special=t != 4) for p, _, t in pieces if t in (2, 3, 4)]

    def encode(line):
        def one(chars):
            chars = cut.sentence_piece_normal(chars, CHARS)
            if merging:
                yield from cut.merge_by_score(chars, scores, vocab, with_bytes)
            else:
                yield from cut.unigram(chars, scores, vocab, vocab["<unk>"], with_bytes, cut.single)
        return cut.around(cut.with_added(line, tokens, one), line, [vocab["<s>"]], [])

    config = {"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>", "eos_token": {"content": "</s>"}, "unk_token": "<unk>"}
    return name, {"spiece.model": content, "tokenizer_config.json": config}, encode


def marian(name, dice):
    """A file of pieces for each language, both numbered by one vocab.json with as many words as the checkpoint of tests/data
    has. A text may begin with its target language, which is a token."""
    vocab = {w: i for i, w in enumerate(["<pad>", "</s>", "<unk>", "\u2581", "\u2581the", "\u2581cat", "s", "e", ">>fra<<", "\u2581le", "\u2581chat"])}

    def language(own, after):
        pieces = [("</s>", 0.0, 3), ("<unk>", 0.0, 2)] + [(p, cut.single(-dice.randrange(20, 160) / 10), 1) for p in own]
        scores = {p: s for p, s, t in pieces if t == 1}
        tokens = [added(p, vocab[p], special=True) for p in ("</s>", "<unk>")]

        def one(chars):
            code = re.match(">>.*?<<", "".join(c for c, _, _ in chars), re.DOTALL)
            if code:
                yield vocab.get(code[0], vocab["<unk>"]), cut.span(chars[:code.end()])
            yield from cut.unigram(cut.sentence_piece_normal(chars[code.end() if code else 0:], CHARS), scores, vocab, vocab["<unk>"], False, cut.single)

        return piece_file(pieces, False, False), lambda line: cut.around(cut.with_added(line, tokens, one), line, [], after)

    source, read = language(["\u2581", "\u2581the", "\u2581cat", "s", "e"], [vocab["</s>"]])
    target, write = language(["e", "\u2581chat", "\u2581le", "\u2581", "s"], [])
    parts = ["the", "le", "chat", "cat", "s", "e", "a", " ", "  ", "\u65e9", "\u00e9", "\ufb01", "</s>", "\u2460"]
    codes = [">>fra<<", ">>fra<<", ">>fra<< ", ">>deu<<", ">>", "<<", ">><<", ">>\u65e9\n<<"]
    some = lambda: "".join(dice.choice(parts) for _ in range(dice.randrange(9)))
    lines = make_lines(100) + [some() for _ in range(200)] + [dice.choice(codes) + some() for _ in range(150)]
    lines += [some() + dice.choice(codes) + some() for _ in range(50)]
    vectors = lambda encode: [[line, [i for i, _ in pieces], [n for _, s in pieces for n in s]]
                           for line, pieces in ((line, encode(line)) for line in lines)]
    config = {"tokenizer_class": "MarianTokenizer", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
    return name, {"source.spm": source, "target.spm": target, "vocab.json": vocab, "tokenizer_config.json": config,
                  "source_vectors.json": vectors(read), "target_vectors.json": vectors(write)}, read


def whole_words(name, sample):
    words = sorted({"".join(c for c, _, _ in w) for line in sample for w in cut.words_and_signs(cut.lowered(cut.chars_of(line)))})
    vocab = {w: i for i, w in enumerate(["[UNK]"] + words[::2])}
    tokens = [added("[UNK]", 0), added("Cat", len(vocab), normalized=True, special=False)]
    content = {"version": "1.0", "added_tokens": tokens, "normalizer": {"type": "Lowercase"},
               "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None,
               "model": {"type": "WordLevel", "unk_token": "[UNK]", "vocab": vocab}}
    lowered = [dict(t, content=t["content"].lower()) if t["normalized"] else t for t in tokens]

    def encode(line):
        def one(chars):
            for word in cut.words_and_signs(chars):
                yield vocab.get("".join(c for c, _, _ in word), 0), cut.span(word)
        return cut.with_added(line, lowered, one, cut.lowered)

    return name, {"tokenizer.json": content}, encode


def ended_words(name, sample):
    """Markers at the ends of words, accents stripped, digits and punctuation separated: parts that the others do not use."""
    def words_of(chars):
        chars = [(c, b, e) for c, b, e in cut.normal_form(chars, "NFKD") if not unicodedata.category(c).startswith("M")]
        for word in cut.split_kinds(chars, cut.white, "removed"):
            for part in cut.split_kinds(word, cut.punctuation, "contiguous"):
                yield from cut.split_kinds(part, cut.numeric, "isolated")
    lists = [[c for c, _, _ in w] for line in sample for w in words_of(cut.chars_of(line))]
    merges = learn_merges([w[:-1] + [w[-1] + "</w>"] for w in lists], 150)
    letters = sorted({c for w in lists for c in w} | {w[-1] + "</w>" for w in lists})
    letters = [c for i, c in enumerate(letters) if i % 13 != 5]
    merges = [m for m in merges if all(cut.made_of(s, letters) for s in m)]
    vocab = vocabulary_of(["<unk>"] + letters, merges)
    merges = [m for m in merges if m[0] in vocab and m[1] in vocab]
    content = {"version": "1.0", "added_tokens": [added("<unk>", 0)],
               "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}]},
               "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                   {"type": "WhitespaceSplit"}, {"type": "Punctuation", "behavior": "Contiguous"},
                   {"type": "Digits", "individual_digits": True}]},
               "post_processor": None, "decoder": {"type": "BPEDecoder", "suffix": "</w>"},
               "model": {"type": "BPE", "unk_token": "<unk>", "end_of_word_suffix": "</w>", "fuse_unk": False, "vocab": vocab,
                         "merges": [" ".join(m) for m in merges]}}
    ranks = {m: i for i, m in enumerate(merges)}

    def encode(line):
        def one(chars):
            for word in words_of(chars):
                last = word[-1]
                symbols = [[s] for s in word[:-1]] + [[(last[0] + "</w>", last[1], last[2])]]
                symbols = [s if s[0][0] in vocab else [("<unk>", s[0][1], s[0][2])] for s in symbols]
                for group in cut.bpe(symbols, lambda a, b: ranks.get((a, b))):
                    yield vocab["".join(c for c, _, _ in group)], cut.span(group)
        return cut.with_added(line, [added("<unk>", 0)], one)

    return name, {"tokenizer.json": content}, encode


def makers():
    sample, dice = make_lines(100, seed=7), random.Random(5)
    return {"gpt2": lambda name: byte_level(name, "gpt2", sample, {}),
            "llama3": lambda name: byte_level(name, "llama3", sample,
                                              {"ignore_merges": True, "before": ["<s>"], "pairs": True}),
            "qwen": lambda name: byte_level(name, "qwen", sample, {"nfc": True}),
            "bert": lambda name: word_pieces(name, sample),
            "t5": lambda name: unigram(name, sample, dice, {"scheme": "always"}),
            "unigram_bytes": lambda name: unigram(name, sample, dice, {"scheme": "first", "bytes": True}),
            "llama2": lambda name: llama(name, sample),
            "spm_bpe": lambda name: sentence_piece(name, sample, dice, True, True),
            "spm_unigram": lambda name: sentence_piece(name, sample, dice, False, False),
            "marian": lambda name: marian(name, dice),
            "words": lambda name: whole_words(name, sample),
            "ended": lambda name: ended_words(name, sample)}


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    lines = make_lines(count)
    for name, make in makers().items():
        if len(sys.argv) > 3 and name not in sys.argv[3:]:
            continue
        _, files, encode = make(name)
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        vectors = [[line, [i for i, _ in pieces], [n for _, s in pieces for n in s]]
                   for line, pieces in ((line, encode(line)) for line in lines)]
        for file, content in {**files, "vectors.json": vectors}.items():
            if not isinstance(content, bytes):
                content = (content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)).encode()
            with open(os.path.join(folder, name, file), "wb") as out:
                out.write(content)


if __name__ == "__main__":
    main()
