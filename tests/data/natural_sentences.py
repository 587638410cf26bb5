#!/usr/bin/env python3
"""Sentences that were not written for this program: examples of usage in WordNet's glosses, and Chinese prose of fortunes-zh.

    tests/data/natural_sentences.py en > tests/data/natural.txt
    tests/data/natural_sentences.py zh > /tmp/natural_zh.txt   # under another licence, so it is not in the repository

Reads the installed files of Debian's wordnet-base and fortunes-zh. Draws 200 sentences of each, with a fixed seed, that are
neither very short nor very long and have a third-person pronoun. tests/app/text_question_test.cpp tests all of them;
ATTENSCOPE_SENTENCES=FILE names another file for it.
"""

import random
import re
import sys

COUNT = 200
ENGLISH = re.compile(r"\b(it|he|she|they|him|her|them)\b")


def english():
    found = set()
    for part in ("noun", "verb", "adj", "adv"):
        with open(f"/usr/share/wordnet/data.{part}", encoding="latin-1") as file:
            for line in file:
                if line.startswith("  ") or "|" not in line:
                    continue
                for example in re.findall(r'"([^"]+)"', line.split("|", 1)[1]):
                    if 5 <= len(example.split()) <= 16 and ENGLISH.search(example) and example.isascii():
                        found.add(example.strip())
    return found


def chinese():
    with open("/usr/share/games/fortunes/chinese", encoding="utf-8") as file:
        text = re.sub(r"\x1b?\[[0-9;]*m", "", file.read())
    found = set()
    for item in text.split("\n%\n"):
        body = re.sub(r"\s+", "", re.sub(r"\n\s*--.*", "", item))
        for sentence in re.findall("[^。！？；：“”「」]{6,28}[。！？]", body):
            if re.search("[他她它]", sentence) and not re.search(r"[A-Za-z0-9/《》（）()\[\]…]", sentence):
                found.add(sentence.lstrip("，"))
    return found


if __name__ == "__main__":
    if sys.argv[1:] not in (["en"], ["zh"]):
        sys.exit(__doc__)
    sentences = sorted(english() if sys.argv[1] == "en" else chinese())
    print(f"# Made by tests/data/natural_sentences.py {sys.argv[1]}. The English ones are WordNet 3.0's; its notice: core/text/NOTICE.")
    print("\n".join(sorted(random.Random(33).sample(sentences, COUNT))))
