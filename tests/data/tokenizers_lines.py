"""Lines of text for tokenizers: words, Chinese, emoji, code, other scripts, control characters, from a seed."""

import random

WORDS = """the cat sat on a mat and then it ran down to the river bank with its tired old friend who said hello world
attention is all you need while models learn to read words numbers tokens bytes from text in every language unbelievable
return self.value if x[0] == None else {'key': 42} def main(argc, argv): for (int i = 0; i < n; ++i) a->b::c() // todo
don't we'll they're I'm you've she'd it's DON'T 3.14159 2024 1000000 007 café naïve Ünïcödé résumé Straße İstanbul""".split()
CHINESE = list("早上好世界你我他是的在有人这中大来国不了学习注意力模型词语言，。！？“”河岸银行")
OTHERS = ["😀", "👩‍👩‍👧", "🇨🇳", "❤️", "ｆｕｌｌ", "ﬁn", "①", "½", "Ω", "привет", "мир", "γειά", "שלום", "ไทย", "한국어", "カタカナ", "ﾊﾞ",
          "e\u0301", "a\u0323\u0302", "\u200d", "\ufeff", "\u202e", "_under_score_", "__init__", "#!/bin/sh", "a" * 30, "!" * 12,
          "<s>", "[MASK]", "<|end|>", "\u2581", "x\u00a0y", "Ġ"]
BLANKS = [" ", " ", " ", " ", " ", " ", "", "  ", "   ", "\n", "\n\n", "\t", " \n", "\r\n", "\u3000"]
CONTROLS = ["\x00", "\x01", "\x1b[0m", "\x7f", "\x85", "\ufffd"]


def make_lines(count, seed=13):
    dice = random.Random(seed)
    lines = ["", " ", "  ", "a", "早", "早上好", "Hello, world!", " leading", "trailing ", "a  b", "\n", "don't DON'T",
             "1234567", "😀", "e\u0301", "x<s>y", " <s> ", "[MASK]s", "a [MASK] b"]
    while len(lines) < count:
        parts = []
        for _ in range(dice.randrange(1, 9)):
            kind = dice.random()
            if kind < 0.55:
                parts.append(dice.choice(WORDS))
            elif kind < 0.75:
                parts.append("".join(dice.choice(CHINESE) for _ in range(dice.randrange(1, 5))))
            elif kind < 0.9:
                parts.append(dice.choice(OTHERS))
            elif kind < 0.94:
                parts.append(dice.choice(CONTROLS))
            else:
                parts.append(str(dice.randrange(10 ** dice.randrange(1, 9))))
            parts.append(dice.choice(BLANKS))
        lines.append("".join(parts))
    return lines
