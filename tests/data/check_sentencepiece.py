#!/usr/bin/python3
"""Trains two small SentencePiece models with the library itself (python3-sentencepiece), with its own table of
replacements, and compares its tokens of many lines with those of `attenscope tokens`.

    check_sentencepiece.py PROGRAM

Prints the differences; the exit status is 1 if there are any, and 77 if the library is not installed.
"""

import io
import json
import os
import subprocess
import sys
import tempfile

from tokenizers_lines import make_lines

LISTED = 5
# Excluded: texts in which a checkpoint would recognise control tokens, and texts that cannot be an argument.
LEFT_OUT = ["\0", "<s>", "[MASK]"]


def main():
    try:
        import sentencepiece
    except ImportError:
        print("python3-sentencepiece is not installed")
        return 77
    lines = [line for line in make_lines(300) if not any(part in line for part in LEFT_OUT)]
    train = [line.replace("\n", " ").replace("\0", "") for line in make_lines(1500, seed=3)]
    found = 0
    for kind in ("unigram", "bpe"):
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(train), model_writer=model, vocab_size=600, model_type=kind, byte_fallback=True,
            character_coverage=0.99, minloglevel=2, hard_vocab_limit=False)
        library = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "spiece.model"), "wb") as out:
                out.write(model.getvalue())
            for line in lines:
                printed = subprocess.run([sys.argv[1], "tokens", "--model", folder, "--text", line, "--json"],
                                      capture_output=True, check=True)
                ids = [piece["id"] for piece in json.loads(printed.stdout)]
                if ids != library.encode(line):
                    found += 1
                    if found <= LISTED:
                        print(f"{kind}: {line!r}: {ids} here, {library.encode(line)} there")
    print(f"{2 * len(lines)} lines, {found} differ from SentencePiece {sentencepiece.__version__}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
