#!/usr/bin/python3
"""Derives core/text/derived.inc, the table of meanings of all words whose numbers were not chosen by hand.

    tests/data/derive_meanings.py > core/text/derived.inc

The anchors are the rows of core/text/meaning.inc, and the rows of categories below. An English word inherits from what
WordNet 3.0 (Debian: wordnet-base) says about it: the nearest of its hypernyms that have a row, its category, the words of
its definition, and for the feeling its similar words and its opposites. A Chinese word of jieba's
dictionary (Debian: python3-jieba) inherits from its characters and its class. How much each counts is fitted by ridge
regression on the anchors. Words with a row chosen by hand are in the table as well, with the row that is derived without
it: tests/core/text_meaning_test.cpp checks the correlation of the two.

A line has a word, its eight numbers, and its frequency. A number is a letter: . is 0, a is 0.05, b is 0.1 … z is 1.3,
A is -0.05 and so on. Frequency: a is the rarest, each letter about twice as frequent as the one before it.
Needs python3-numpy. The same packages give the same bytes.
"""
import collections
import math
import os
import re
import sys

import numpy as np

from derive_meanings_words import (CHINESE_CLASSES, CHINESE_EXTRA, CHINESE_GROUPS, CHINESE_LAST, CHINESE_NAMES, CHINESE_NOUN_GROUPS,
                                   CHINESE_POLARITY, CHINESE_TWO_WORDS,
                                   ENGLISH_CATEGORIES, ENGLISH_HYPERNYMS, ENGLISH_EXTRA, ENGLISH_LIKE, ENGLISH_NAMES,
                                   ENGLISH_POLARITY, NAME_ROWS)

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
WORDNET = '/usr/share/wordnet/'
JIEBA = '/usr/lib/python3/dist-packages/jieba/dict.txt'
ENGLISH_WORDS = 20500
CHINESE_WORDS = {1: 3200, 2: 16200, 3: 2800, 4: 600}   # by their characters
FEELING = 6
MEASURES = '个只辆本条张位块杯件朵棵座台颗匹头群间封首幅双份顿架支名瓶次天年种些点人把家里样'
SHORTEST, LONGEST = 1.1, 1.4   # of a content word


def hand_rows():
    rows = {}
    with open(os.path.join(ROOT, 'core/text/meaning.inc'), encoding='utf-8') as file:
        for line in file:
            found = re.match(r'WORD\("([^"]+)",(.*)\)$', line.strip())
            if found:
                rows[found[1]] = np.array([float(x) for x in found[2].split(',')])
    return rows


HAND = hand_rows()


def letter(value):
    steps = int(math.floor(abs(value) / 0.05 + 0.5))
    if steps == 0:
        return '.'
    return chr((ord('a') if value > 0 else ord('A')) + min(steps, 26) - 1)


def usual_letter(count):
    return chr(ord('a') + min(25, int(math.log2(1 + max(0.0, count)))))


def of_length(row):
    """A row of a content word: long enough to matter, but never so long that it wins every softmax."""
    length = math.sqrt(float(np.dot(row, row)))
    if length < 1e-6:
        return row
    return np.clip(row * (min(max(length, SHORTEST + 0.05), LONGEST - 0.05) / length), -1.2, 1.3)


class Synset:
    __slots__ = ('lemmas', 'category', 'up', 'like', 'against', 'near', 'gloss', 'pos')


class WordNet:
    FILES = {'noun': 'n', 'verb': 'v', 'adj': 'a', 'adv': 'r'}
    CATEGORIES = ('adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body '
                  'noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location '
                  'noun.motive noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process '
                  'noun.quantity noun.relation noun.shape noun.state noun.substance noun.time verb.body verb.change '
                  'verb.cognition verb.communication verb.competition verb.consumption verb.contact verb.creation '
                  'verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather '
                  'adj.ppl').split()

    def __init__(self):
        self.synsets, self.senses, self.lowered = {}, collections.defaultdict(list), set()
        for name, pos in self.FILES.items():
            self.read_data(name, pos)
        counts = collections.Counter()
        with open(WORDNET + 'cntlist.rev', encoding='ascii') as file:
            for line in file:
                key, number, count = line.split()
                lemma, rest = key.split('%')
                counts[lemma, {'1': 'n', '2': 'v', '3': 'a', '4': 'r', '5': 'a'}[rest[0]], int(number)] = int(count)
        for name, pos in self.FILES.items():
            self.read_index(name, pos, counts)

    def read_data(self, name, pos):
        with open(WORDNET + 'data.' + name, encoding='latin-1') as file:
            for line in file:
                if line.startswith('  '):
                    continue
                data, gloss = line.split('|', 1)
                parts = data.split()
                one = Synset()
                one.pos, one.category, one.gloss = pos, self.CATEGORIES[int(parts[1])], gloss.strip()
                count = int(parts[3], 16)
                one.lemmas = [re.sub(r'\(.*\)$', '', parts[4 + 2 * i]) for i in range(count)]
                self.lowered.update(word for word in one.lemmas if word == word.lower())
                one.up, one.like, one.against, one.near = [], [], [], []
                at = 4 + 2 * count
                for i in range(int(parts[at])):
                    kind, offset, to, words = parts[at + 1 + 4 * i:at + 5 + 4 * i]
                    key = ('a' if to == 's' else to, offset)
                    if kind in ('@', '@i'):
                        one.up.append(key)
                    elif kind in ('&', '^', '$', '*'):
                        one.like.append(key)
                    elif kind == '!':
                        one.against.append(key)
                    elif kind in ('+', '\\', '=', '<'):
                        one.near.append(key)
                self.synsets[pos, parts[0]] = one

    def read_index(self, name, pos, counts):
        with open(WORDNET + 'index.' + name, encoding='ascii') as file:
            for line in file:
                if line.startswith('  '):
                    continue
                parts = line.split()
                for number, offset in enumerate(parts[-int(parts[2]):], 1):
                    self.senses[parts[0]].append((counts[parts[0], pos, number], number, (pos, offset)))


def stems(word):
    """The words from which a form may be inflected, as in core/text/inflection.cpp."""
    out = [word]
    if word.endswith("s") and not word.endswith('ss'):
        out += [word[:-1]] + ([word[:-2]] if word.endswith('es') else []) + ([word[:-3] + 'y'] if word.endswith('ies') else [])
    for ending in ('ed', 'ing'):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[:-len(ending)]
            out += [stem, stem + 'e'] + ([stem[:-1]] if stem[-1] == stem[-2] else [])
    return out


class English:
    def __init__(self):
        self.wn = WordNet()
        self.priors = {name: np.array(row) for name, row in ENGLISH_CATEGORIES.items()}
        self.polarity = self.spread_polarity()
        self.anchors = {}
        for spec, row in ENGLISH_HYPERNYMS.items():
            word, category = spec.split('/')
            for _, _, key in self.wn.senses[word]:
                if self.wn.synsets[key].category == category:
                    self.anchors[key] = (None, np.array(row))
                    break
            else:
                sys.exit('no such hypernym: ' + spec)
        self.fitted = []
        for word, row in HAND.items():
            key = self.meant(word, row)
            if key:
                self.anchors[key] = (word, row)
        self.gloss_rows = {}

    def meant(self, word, row):
        """The sense that was meant when a row was chosen by hand: of the common senses, the one whose category is most
        similar."""
        senses = self.wn.senses.get(word, [])
        if not senses or np.linalg.norm(row) < 1.05:
            return None
        best, found = 0.55, None
        for count, number, key in senses:
            prior = self.priors[self.wn.synsets[key].category]
            fit = float(np.dot(prior, row)) / np.linalg.norm(prior) / np.linalg.norm(row) - 0.03 * number + 0.01 * math.log1p(count)
            if fit > best:
                best, found = fit, key
        return found

    def spread_polarity(self):
        """Spreads feeling from plainly pleasant and unpleasant words to similar words and, reversed, to their opposites."""
        seeds = {}
        for word, value in ENGLISH_POLARITY.items():
            for count, number, key in self.wn.senses.get(word, []):
                if number == 1:
                    seeds.setdefault(key, value)
        value = dict(seeds)
        for _ in range(6):
            after = dict(seeds)
            for key, one in self.wn.synsets.items():
                if key in seeds:
                    continue
                heard = [(value.get(k, 0.0), 1.0) for k in one.like] + [(-value.get(k, 0.0), 1.0) for k in one.against]
                heard += [(value.get(k, 0.0), 0.8) for k in one.near] + [(value.get(k, 0.0), 0.4) for k in one.up]
                said = [v for v, w in heard if v != 0]
                if said:
                    total = sum(w for v, w in heard if v != 0) + 0.3
                    after[key] = 0.9 * sum(v * w for v, w in heard) / total
            value = after
        # What a definition says about feeling, where it says it plainly.
        for key, one in self.wn.synsets.items():
            if key in seeds:
                continue
            words = re.findall('[a-z]+', one.gloss.split(';')[0].lower())
            said = [ENGLISH_POLARITY[w] * (-1 if i > 0 and words[i - 1] in ('not', 'no', 'without') else 1)
                    for i, w in enumerate(words) if w in ENGLISH_POLARITY]
            if said:
                value[key] = 0.6 * value.get(key, 0.0) + 0.5 * sum(said) / len(said)
        return value

    def inherited(self, key, without):
        """The mean of the rows of its hypernyms, nearer ones weighted more; its category comes last."""
        total, weight = 0.1 * self.priors[self.wn.synsets[key].category], 0.1
        seen, level, share = set(), [key], 1.0
        for _ in range(12):
            after = []
            for one in level:
                if one in seen:
                    continue
                seen.add(one)
                anchor = self.anchors.get(one)
                if anchor and anchor[0] != without:
                    total, weight = total + share * anchor[1], weight + share
                after += self.wn.synsets[one].up
            level, share = after, share * 0.4
        return total / weight

    def near_rows(self, key, without):
        rows = []
        for k in self.wn.synsets[key].like + self.wn.synsets[key].near:
            rows.append(self.inherited(k, without))
        return np.mean(rows, axis=0) if rows else None

    def gloss_row(self, key, without):
        """The mean of the words that define it."""
        words = re.findall('[a-z]+', self.wn.synsets[key].gloss.split('"')[0].lower())
        rows = []
        for word in words:
            for stem in stems(word):
                if stem != without and stem in HAND and np.linalg.norm(HAND[stem]) > 1.05:
                    rows.append(HAND[stem])
                    break
        return np.mean(rows, axis=0) if rows else np.zeros(8)

    def senses_of(self, word):
        senses = self.wn.senses.get(word, [])
        weighed = [((count + 0.6) * 0.75 ** (number - 1), key) for count, number, key in senses]
        most = max((w for w, _ in weighed), default=1)
        return [(w / most, key) for w, key in weighed if w >= 0.4 * most]

    def features(self, word, without=''):
        total, sum_of = np.zeros(8 * 4 + 1 + 4), 0.0
        for weight, key in self.senses_of(word):
            one = self.wn.synsets[key]
            own = self.inherited(key, without)
            near = self.near_rows(key, without)
            pos = [float(one.pos == p) for p in 'nvar']
            pole = self.polarity.get(key, 0.0)
            if one.category in ('noun.feeling', 'noun.state', 'verb.emotion', 'adj.all', 'adv.all'):
                own = own.copy()
                own[FEELING] += 0.8 * pole
            total += weight ** 2 * np.concatenate([own, own if near is None else near, self.gloss_row(key, without),
                                                   self.priors[one.category], [pole], pos])
            sum_of += weight ** 2
        return total / sum_of

    def fit(self):
        """Ridge regression on the residuals of the inherited rows; then on each anchor with the anchor itself left out."""
        words = [word for word, row in HAND.items()
                 if word.isascii() and word in self.wn.senses and np.linalg.norm(row) > 1.05]
        x = np.array([self.features(word, word) for word in words])
        y = np.array([HAND[word] for word in words])
        self.mean, self.spread = x.mean(0), x.std(0) + 0.05
        z = (x - self.mean) / self.spread
        rest = y - x[:, :8]
        self.shift = rest.mean(0)
        strength = 60.0
        a = z.T @ z + strength * np.eye(z.shape[1])
        self.map = np.linalg.solve(a, z.T @ (rest - self.shift))
        hat = np.einsum('ij,ji->i', z, np.linalg.solve(a, z.T)) + 1 / len(words)
        guess = x[:, :8] + self.shift + z @ self.map
        left_out = y - (y - guess) / (1 - hat)[:, None]
        self.left_out = dict(zip(words, left_out))
        report('English', y, left_out)

    def row(self, word):
        if word in self.left_out:
            return of_length(self.left_out[word])
        x = self.features(word)
        row = x[:8] + self.shift + ((x - self.mean) / self.spread) @ self.map
        if word in ENGLISH_POLARITY:
            row[FEELING] = 0.4 * row[FEELING] + 0.6 * ENGLISH_POLARITY[word]
        return of_length(row)

    def counts(self):
        counts = collections.Counter()
        for one in self.wn.synsets.values():
            for word in re.findall("[a-z]+", one.gloss.lower()):
                for stem in stems(word):
                    if stem in self.wn.senses:
                        counts[stem] += 1
                        break
        for word, senses in self.wn.senses.items():
            counts[word] += 4 * sum(count for count, _, _ in senses) + (1 if len(senses) > 1 else 0)
        return counts

    def irregular(self):
        """went -> go, mice -> mouse."""
        out = {}
        for name in ('noun', 'verb', 'adj', 'adv'):
            with open(WORDNET + name + '.exc', encoding='ascii') as file:
                for line in file:
                    form, base = line.split()[:2]
                    out.setdefault(form, (base, name))
        return out

    def table(self):
        self.fit()
        counts = self.counts()
        everyday = [word for word in self.wn.senses if re.fullmatch("[a-z][a-z-]*[a-z]", word)]
        common = {word for word in everyday if word in self.wn.lowered}

        def is_form(word):
            """A form of a word that was chosen by hand has that word's numbers."""
            return word not in ('news', 'goods') and any(stem in HAND for stem in stems(word)[1:])

        def is_of_verb(word):
            """discovered, named: adjectives of their own in WordNet, but far more often forms of the verb."""
            if not word.endswith(('ed', 'ing')) or word in ENGLISH_POLARITY:
                return False
            senses = self.wn.senses[word]
            if any(key[0] == 'n' for _, _, key in senses) or any(abs(self.polarity.get(key, 0)) > 0.3 for _, _, key in senses):
                return False
            own = sum(count for count, _, _ in senses)
            return any(sum(count for count, _, key in self.wn.senses.get(stem, []) if key[0] == 'v') > 2 * own
                       for stem in stems(word)[1:])

        def is_place(word):
            """Capitalised words: places, days and months, nations and languages, but no surnames."""
            named = ('noun.location', 'noun.time', 'adj.pert', 'noun.communication')
            return any(self.wn.synsets[key].category in named for w, key in self.senses_of(word))

        chosen = [word for word in everyday if word not in HAND and not is_form(word) and not is_of_verb(word) and
                  (word in common or (is_place(word) and counts[word] >= 3))]
        chosen.sort(key=lambda word: (-counts[word], len(word), word))
        chosen = chosen[:ENGLISH_WORDS] + [word for word in chosen[ENGLISH_WORDS:] if word in ENGLISH_EXTRA]
        out = {word: (self.row(word), counts[word]) for word in chosen}
        for word in HAND:
            if word in self.left_out:
                out[word] = (self.row(word), counts[word])
        for word, like in ENGLISH_LIKE.items():
            if like not in self.wn.senses:
                sys.exit('no such word: ' + like)
            if word not in out and word not in HAND and not any(stem in HAND or stem in out for stem in stems(word)[1:]):
                out[word] = (HAND[like] if like in HAND else self.row(like), 30)
        for kind, names in ENGLISH_NAMES.items():
            for name in names.split():
                if name not in HAND and (name not in out or name not in common or counts[name] < 8):
                    out[name] = (np.array(NAME_ROWS[kind]), 30)
        for form, (base, name) in self.irregular().items():
            if form in out or form in HAND or base in stems(form) or '_' in form or not re.fullmatch("[a-z]+", form):
                continue
            row = HAND.get(base, out[base][0] if base in out else None)
            if row is None:
                continue
            past = np.array([0, 0, 0, 0, 0.15 if name == 'verb' else 0, 0, 0, 0])
            out[form] = (row + past, counts[base] / 4)
        return out


def report(language, chosen, left_out):
    names = 'living person thing place time action feeling mind'.split()
    each = [float(np.corrcoef(chosen[:, c], left_out[:, c])[0, 1]) for c in range(8)]
    cosine = np.mean([np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(chosen, left_out)])
    print(f'{language}, {len(chosen)} anchors, each derived without itself: correlation ' +
          ', '.join(f'{n} {v:.2f}' for n, v in zip(names, each)) + f'; mean cosine {cosine:.2f}', file=sys.stderr)


class Chinese:
    def __init__(self):
        self.words = {}
        with open(JIEBA, encoding='utf-8') as file:
            for line in file:
                word, count, kind = line.split()
                self.words[word] = (int(count), kind)
        for word, kind in CHINESE_EXTRA.items():
            self.words[word] = (max(self.words.get(word, (0, ''))[0], 2000), kind)
        groups = {}
        for name, (row, characters) in CHINESE_GROUPS.items():
            for c in characters:
                groups.setdefault(c, []).append(np.array(row))
        self.groups = {c: np.mean(rows, axis=0) for c, rows in groups.items()}
        self.things = {c for name in CHINESE_NOUN_GROUPS for c in CHINESE_GROUPS[name][1]}
        self.last = {c: np.array(row) for row, characters in CHINESE_LAST for c in characters}
        self.pole = {c: value for value, characters in CHINESE_POLARITY for c in characters}

    def kind(self, word):
        kind = self.words.get(word, (0, 'n'))[1]
        return kind if kind in CHINESE_CLASSES else kind[0] if kind[0] in CHINESE_CLASSES else 'n'

    def character(self, c, without=''):
        if c in HAND and c != without:
            return HAND[c]
        return self.groups.get(c)

    def features(self, word, without=''):
        kind = self.kind(word)
        prior = np.array(CHINESE_CLASSES[kind])
        parts, weights = [], []
        for i, c in enumerate(word):
            row = self.character(c, without)
            final = i == len(word) - 1
            if final and len(word) > 1 and kind[0] in 'ns' and c in self.last:
                row = self.last[c]
            # 发 alone is hair, but not in 发现 and 爆发.
            if row is None or (kind[0] == 'v' and c in self.things and len(word) > 1):
                continue
            parts.append(row)
            noun = kind[0] in 'nst'
            weights.append((2.4 if c in self.last else 1.6) if final and noun else 1.2 if not noun and i == 0 else 1.0)
        # A word that contains a word chosen by hand: 小猫咪 contains 小猫.
        for size in (2, 3):
            for i in range(len(word) - size + 1):
                inner = word[i:i + size]
                if len(inner) < len(word) and inner in HAND:
                    parts.append(HAND[inner])
                    weights.append(2.5 if i + size == len(word) else 1.2)
        known = min(1.0, len(parts) / len(word))
        mean = np.average(parts, axis=0, weights=weights) if parts else prior
        poles = [self.pole[c] for c in word if c in self.pole]
        pole = float(np.mean(poles)) if poles else 0.0
        if word[0] in '不没无难' and len(word) > 1:
            pole = -abs(pole) - 0.3 if word[0] != '难' else -0.8
        own = (0.35 + 0.45 * known) * mean + (0.65 - 0.45 * known) * prior
        own[FEELING] = 0.5 * own[FEELING] + 0.55 * pole if kind[0] in 'avzdil' else 0.8 * own[FEELING] + 0.2 * pole
        return np.concatenate([own, mean, prior, [pole, known]])

    def fit(self):
        words = [word for word, row in HAND.items() if not word.isascii() and np.linalg.norm(row) > 1.05]
        x = np.array([self.features(word, word) for word in words])
        y = np.array([HAND[word] for word in words])
        self.mean, self.spread = x.mean(0), x.std(0) + 0.05
        z = (x - self.mean) / self.spread
        rest = y - x[:, :8]
        self.shift = rest.mean(0)
        a = z.T @ z + 60.0 * np.eye(z.shape[1])
        self.map = np.linalg.solve(a, z.T @ (rest - self.shift))
        hat = np.einsum('ij,ji->i', z, np.linalg.solve(a, z.T)) + 1 / len(words)
        guess = x[:, :8] + self.shift + z @ self.map
        left_out = y - (y - guess) / (1 - hat)[:, None]
        self.left_out = dict(zip(words, left_out))
        report('Chinese', y, left_out)

    def row(self, word):
        if word in self.left_out:
            return of_length(self.left_out[word])
        if self.kind(word)[0] in 'cpuyedr' or self.kind(word) == 'q':
            prior, row = np.array(CHINESE_CLASSES[self.kind(word)]), np.zeros(8)
            known = [self.character(c) for c in word if self.character(c) is not None]
            row = prior if not known else 0.5 * prior + 0.5 * np.mean(known, axis=0)
            most = 0.75 if self.kind(word)[0] in 'cpuye' else 1.0
            return row * min(1.0, most / max(np.linalg.norm(row), 1e-6))
        x = self.features(word)
        return of_length(x[:8] + self.shift + ((x - self.mean) / self.spread) @ self.map)

    def table(self):
        self.fit()
        chosen = []
        for size, limit in CHINESE_WORDS.items():
            def wanted(word):
                count, kind = self.words[word]
                if not all('\u4e00' <= c <= '\u9fff' for c in word) or word in HAND or len(word) != size:
                    return False
                # Excluded: two words that are each common by themselves. 早上好 is 早上 and 好.
                if size == 3 and word not in CHINESE_EXTRA and word[:2] in HAND and word[2] in HAND:
                    return False
                # A number and its measure word stay separate: 一只, 这个.
                if size > 1 and word[0] in '一二三四五六七八九十百千万两几这那每半' and (
                        word[-1] in MEASURES or kind[0] == 'm') and word not in CHINESE_EXTRA:
                    return False
                if word in CHINESE_TWO_WORDS:
                    return False
                # 在家, 坐在: two words that were chosen by hand, one of which is a function word.
                if size == 2 and word not in CHINESE_EXTRA and word[0] in HAND and word[1] in HAND and (
                        word[0] in '在有是不很太没又也都就还再和把被从到会能' or word[1] in '在上下里中到了着过的'):
                    return False
                if kind == 'nr' and size > 1 and count < 300:
                    return False
                return kind not in ('x', 'eng', 'nrfg') or count > 1000
            words = sorted((word for word in self.words if wanted(word)), key=lambda w: (-self.words[w][0], w))
            chosen += words[:limit]
            chosen += [word for word in words[limit:] if word in CHINESE_EXTRA]
        out = {word: (self.row(word), self.words[word][0]) for word in chosen}
        for kind, names in CHINESE_NAMES.items():
            out.update({name: (np.array(NAME_ROWS[kind]), 100) for name in names.split()})
        for word in HAND:
            if word not in out and not word.isascii():
                out[word] = (self.row(word) if word in self.left_out else np.zeros(8), self.words.get(word, (300, ''))[0])
        return out


def main():
    rows = English().table()
    rows.update(Chinese().table())
    write = sys.stdout.write
    write('R"(\n')
    lines = []
    for word, (row, count) in rows.items():
        lines.append(word + ' ' + ''.join(letter(v) for v in row) + usual_letter(count))
    lines.sort(key=lambda line: line.split(' ')[0].encode())
    for at, line in enumerate(lines):
        write(line + '\n')
    write(')"\n')
    ascii_words = sum(word.isascii() for word in rows)
    print(f'{ascii_words} English words, {len(rows) - ascii_words} Chinese ones', file=sys.stderr)


if __name__ == '__main__':
    main()
