"""Tokenization by the plain definitions: the second implementation, with which core/tokenizers is compared.

A text is a list of (character, begin, end) with the bytes of the typed text that the character came from.
"""

import struct
import unicodedata

EXPRESSIONS = {
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "qwen": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}
HAN = [(0x4e00, 0x9fff), (0x3400, 0x4dbf), (0x20000, 0x2a6df), (0x2a700, 0x2b73f), (0x2b740, 0x2b81f), (0x2b920, 0x2ceaf),
       (0xf900, 0xfaff), (0x2f800, 0x2fa1f)]
SHORT = ["'re", "'ve", "'ll", "'s", "'t", "'m", "'d"]


def chars_of(text):
    out, at = [], 0
    for c in text:
        size = len(c.encode())
        out.append((c, at, at + size))
        at += size
    return out


def span(chars):
    typed = [(b, e) for _, b, e in chars if b != e]
    return (min(b for b, _ in typed), max(e for _, e in typed)) if typed else (chars[0][1], chars[0][2])


def letter(c):
    return unicodedata.category(c)[0] == "L"


def numeric(c):
    return unicodedata.category(c)[0] == "N"


def white(c):
    return c in "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" or "\u2000" <= c <= "\u200a"


def punctuation(c):
    return unicodedata.category(c)[0] == "P" or c in "$+<=>^`|~"


def word_char(c):
    return unicodedata.category(c) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc") or c in "\u200c\u200d"


def run(chars, at, test):
    while at < len(chars) and test(chars[at][0]):
        at += 1
    return at

def blanks(chars, at, out):
    """\\s+(?!\\S)|\\s+ from `at`, where there is a space."""
    end = run(chars, at, white)
    if end < len(chars) and end - at > 1:
        end -= 1
    out.append(chars[at:end])
    return end


def contraction(chars, at, fold):
    text = "".join(c for c, _, _ in chars[at:at + 3])
    for short in SHORT:
        if (text.lower() if fold else text).startswith(short):
            return len(short)
    return 0


def gpt2(chars):
    out, at = [], 0
    while at < len(chars):
        size = contraction(chars, at, False)
        first = at + 1 if chars[at][0] == " " and at + 1 < len(chars) else at
        c = chars[first][0]
        if size:
            end = at + size
        elif letter(c):
            end = run(chars, first, letter)
        elif numeric(c):
            end = run(chars, first, numeric)
        elif not white(c):
            end = run(chars, first, lambda x: not (letter(x) or numeric(x) or white(x)))
        else:
            at = blanks(chars, at, out)
            continue
        out.append(chars[at:end])
        at = end
    return out


def newer(chars, digits):
    out, at = [], 0
    sign = lambda x: not (letter(x) or numeric(x) or white(x))
    while at < len(chars):
        c = chars[at][0]
        following = chars[at + 1][0] if at + 1 < len(chars) else ""
        size = contraction(chars, at, True)
        if size:
            end = at + size
        elif letter(c) or (c not in "\r\n" and not numeric(c) and following and letter(following)):
            end = run(chars, at + (0 if letter(c) else 1), letter)
        elif numeric(c):
            end = min(run(chars, at, numeric), at + digits)
        elif sign(c) or (c == " " and following and sign(following)):
            end = run(chars, run(chars, at + (c == " "), sign), lambda x: x in "\r\n")
        else:
            stop = run(chars, at, white)
            breaks = [i for i in range(at, stop) if chars[i][0] in "\r\n"]
            if not breaks:
                at = blanks(chars, at, out)
                continue
            end = breaks[-1] + 1
        out.append(chars[at:end])
        at = end
    return out


PATTERNS = {"gpt2": gpt2, "llama3": lambda c: newer(c, 3), "qwen": lambda c: newer(c, 1)}


def make_letters():
    keep = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    out, more = {b: chr(b) for b in keep}, 256
    for b in range(256):
        if b not in out:
            out[b] = chr(more)
            more += 1
    return out


LETTERS = make_letters()


def to_letters(chars):
    return [(LETTERS[x], b, e) for c, b, e in chars for x in c.encode()]


def merge_once(word, pair):
    out, at = [], 0
    while at < len(word):
        if at + 1 < len(word) and (word[at], word[at + 1]) == pair:
            out.append(word[at] + word[at + 1])
            at += 2
        else:
            out.append(word[at])
            at += 1
    return out


def bpe(groups, rank_of):
    """Joins the neighbours of the lowest rank, the leftmost first, until no pair has a rank."""
    spell = lambda group: "".join(c for c, _, _ in group)
    while True:
        ranked = [(rank_of(spell(a), spell(b)), i) for i, (a, b) in enumerate(zip(groups, groups[1:]))]
        ranked = [r for r in ranked if r[0] is not None]
        if not ranked:
            return groups
        at = min(ranked)[1]
        groups = groups[:at] + [groups[at] + groups[at + 1]] + groups[at + 2:]


def tokens_for(chars, vocab, unknown, with_bytes):
    """The tokens for characters that are not in the vocabulary."""
    if with_bytes:
        return [(vocab["<0x%02X>" % x], (b, e)) for c, b, e in chars for x in c.encode()]
    return [(unknown, span(chars))]


def merge_by_score(chars, scores, vocab, with_bytes):
    groups = bpe([[c] for c in chars], lambda a, b: -scores[a + b] if a + b in scores and a in scores and b in scores else None)
    return join_unknown([(g, vocab.get("".join(c for c, _, _ in g)) if "".join(c for c, _, _ in g) in scores else None)
                         for g in groups], vocab, with_bytes)


def join_unknown(groups, vocab, with_bytes):
    out, unknown = [], []
    for chars, number in groups + [([], 0)]:
        if number is None:
            unknown += chars
            continue
        if unknown:
            out += tokens_for(unknown, vocab, vocab["<unk>"], with_bytes)
            unknown = []
        if chars:
            out.append((number, span(chars)))
    return out


def single(number):
    """Rounds to single precision."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def unigram(chars, scores, vocab, unknown, with_bytes, kept=lambda score: score):
    """`kept`: how a sum is stored. SentencePiece stores it in single precision, but compares before rounding."""
    lowest = kept(min(scores.values()) - 10)
    best = [(0.0, 0, None)] + [None] * len(chars)
    longest = max(map(len, scores))
    for end in range(1, len(chars) + 1):
        for begin in range(max(0, end - longest), end):
            piece = "".join(c for c, _, _ in chars[begin:end])
            if piece in scores:
                found = (best[begin][0] + scores[piece], begin, vocab[piece])
            elif end - begin == 1:
                found = (kept(best[begin][0] + lowest), begin, None)
            else:
                continue
            if best[end] is None or found[0] > best[end][0]:
                best[end] = (kept(found[0]), *found[1:])
    groups, end = [], len(chars)
    while end > 0:
        _, begin, number = best[end]
        groups.insert(0, (chars[begin:end], number))
        end = begin
    return join_unknown(groups, {**vocab, "<unk>": unknown}, with_bytes)


def word_piece(word, vocab, longest):
    out, at = [], 0
    while at < len(word) <= longest:
        for end in range(len(word), at, -1):
            piece = ("##" if at else "") + "".join(c for c, _, _ in word[at:end])
            if piece in vocab:
                break
        else:
            break
        out.append((vocab[piece], span(word[at:end])))
        at = end
    return out if at == len(word) else [(vocab["[UNK]"], span(word))]


def normal_form(chars, form):
    """Groups that are normalised independently: a letter and all its marks, or a syllable of Hangul."""
    out, at = [], 0
    def begins(c):
        first = unicodedata.normalize("NFKD" if "K" in form else "NFD", c)[0]
        return unicodedata.combining(first) == 0 and unicodedata.category(first)[0] != "M" and not "\u1160" <= first <= "\u11ff"
    while at < len(chars):
        end = at + 1
        while end < len(chars) and not begins(chars[end][0]):
            end += 1
        before = "".join(c for c, _, _ in chars[at:end])
        after = unicodedata.normalize(form, before)
        out += chars[at:end] if after == before else [(c, *span(chars[at:end])) for c in after]
        at = end
    return out


def lowered(chars):
    return [(x, b, e) for c, b, e in chars for x in c.lower()]


def han(c):
    return any(low <= ord(c) <= high for low, high in HAN)


def bert_normalize(chars):
    out = []
    for c, b, e in chars:
        if c in "\x00\ufffd" or (unicodedata.category(c) in ("Cc", "Cf", "Co") and c not in "\t\n\r"):
            continue
        if white(c):
            c = " "
        out += [(" ", b, b), (c, b, e), (" ", e, e)] if han(c) else [(c, b, e)]
    return lowered([(c, b, e) for c, b, e in normal_form(out, "NFD") if unicodedata.category(c) != "Mn"])


def split_kinds(chars, test, behaviour):
    """Removes what `test` accepts, alone or with adjacent such characters."""
    out, last = [], None
    for one in chars:
        found = test(one[0])
        if found and behaviour == "removed":
            last = None
            continue
        joins = last is not None and found == last and (not found or behaviour == "contiguous")
        if joins:
            out[-1].append(one)
        else:
            out.append([one])
        last = found
    return out


def bert_words(chars):
    return [part for word in split_kinds(chars, white, "removed") for part in split_kinds(word, punctuation, "isolated")]


def words_and_signs(chars):
    out, last = [], None
    for one in chars:
        kind = None if white(one[0]) else word_char(one[0])
        if kind is not None:
            if kind == last:
                out[-1].append(one)
            else:
                out.append([one])
        last = kind
    return out


def shrink_spaces(chars):
    """Two or more spaces become one that is followed by all of them."""
    out, at = [], 0
    while at < len(chars):
        end = run(chars, at, lambda c: c == " ")
        if end > at + 1:
            out.append((" ", *span(chars[at:end])))
        else:
            end = at + 1
            out.append(chars[at])
        at = end
    return out


def prefixed(chars, text):
    return [(c, chars[0][1], chars[0][1]) for c in text] + chars if chars else chars


def parted(mark, text):
    parts = text.split(mark)
    return [p for p in [parts[0]] + [mark + p for p in parts[1:]] if p]


def metaspace(chars, scheme):
    chars = [("\u2581" if c == " " else c, b, e) for c, b, e in chars]
    if chars and chars[0][0] != "\u2581" and (scheme == "always" or (scheme == "first" and chars[0][1] == 0)):
        chars = prefixed(chars, "\u2581")
    out = []
    for one in chars:
        if one[0] == "\u2581" or not out:
            out.append([])
        out[-1].append(one)
    return out


def sentence_piece_normal(chars, table):
    out, at = [], 0
    while at < len(chars):
        for size in (2, 1):
            key = "".join(c for c, _, _ in chars[at:at + size])
            if key in table:
                out += [(c, *span(chars[at:at + size])) for c in table[key]]
                at += size
                break
        else:
            out.append(chars[at])
            at += 1
    kept = []
    for one in out:
        if one[0] != " " or (kept and kept[-1][0] != " "):
            kept.append(one)
    if kept and kept[-1][0] == " ":
        kept.pop()
    kept = prefixed(kept, " ")
    return [("\u2581" if c == " " else c, b, e) for c, b, e in kept]


def made_of(text, letters):
    """Whether a symbol consists of these letters, the last of which may have an end marker."""
    ended = text.endswith("</w>")
    bare = text[:-4] if ended else text
    return all(c in letters for c in bare[:-1]) and (bare[-1:] + ("</w>" if ended else "")) in letters


def with_added(line, tokens, cut_rest, normalize=None):
    """Added tokens first, in the typed text and then in the normalised one; `cut_rest` tokenizes what lies between."""
    out = []
    for number, chars in parts_at(chars_of(line), [t for t in tokens if not t["normalized"]]):
        if number is not None:
            out.append((number, span(chars)))
            continue
        if normalize:
            chars = normalize(chars)
        for inner, part in parts_at(chars, [t for t in tokens if t["normalized"]]):
            out += [(inner, span(part))] if inner is not None else list(cut_rest(part)) if part else []
    return out


def parts_at(chars, tokens):
    out, done, at = [], 0, 0
    while at < len(chars):
        rest = "".join(c for c, _, _ in chars[at:at + 16])
        found = max((t for t in tokens if rest.startswith(t["content"])), key=lambda t: len(t["content"]), default=None)
        if not found:
            at += 1
            continue
        begin, end = at, at + len(found["content"])
        at = end
        alone = (begin == 0 or not word_char(chars[begin - 1][0])) and (end == len(chars) or not word_char(chars[end][0]))
        if found["single_word"] and not alone:
            continue
        while found["lstrip"] and begin > done and white(chars[begin - 1][0]):
            begin -= 1
        while found["rstrip"] and end < len(chars) and white(chars[end][0]):
            end += 1
        if begin > done:
            out.append((None, chars[done:begin]))
        out.append((found["id"], chars[begin:end]))
        done = at = end
    return out + ([(None, chars[done:])] if done < len(chars) else [])


def around(pieces, line, before, after):
    end = len(line.encode())
    return [(i, (0, 0)) for i in before] + pieces + [(i, (end, end)) for i in after]
