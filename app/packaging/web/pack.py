#!/usr/bin/env python3
"""pack.py PAGE FILE...: packs the files into the page and writes it to standard output (see the script in the page).
pack.py --beside FILE...: writes the same package by itself, for a file beside the page.
pack.py --script FILE...: writes a script that passes the files to the page."""
import base64
import gzip
import json
import sys
from pathlib import Path

page, *files = map(Path, sys.argv[1:])
if str(page) == "--script":
    packed = {file.name: base64.b64encode(gzip.compress(file.read_bytes(), 9, mtime=0)).decode() for file in files}
    print(f"Module.typefaces({json.dumps(packed)});")
    sys.exit()
parts = [(file.name, file.read_bytes()) for file in files]
head = json.dumps([[name, len(data)] for name, data in parts]).encode() + b"\n"
packed = gzip.compress(head + b"".join(data for _, data in parts), 9, mtime=0)

if str(page) == "--beside":
    sys.stdout.buffer.write(packed)
    sys.exit()

changed = {0: 1, 13: 2, 60: 3}
sevens = []
held = bits = 0
for byte in packed:
    held = held << 8 | byte
    bits += 8
    while bits >= 7:
        bits -= 7
        sevens.append(held >> bits & 127)
    held &= (1 << bits) - 1
if bits:
    sevens.append(held << (7 - bits) & 127)
sevens.append(127)  # where the last one is to be changed it carries this
out = []
each = iter(sevens)
for seven in each:
    out.append(chr(changed[seven] << 7 | next(each)) if seven in changed else chr(seven))
text = page.read_text(encoding="utf-8").replace("@SIZE@", str(len(packed))).replace("@PACKED@", "".join(out))
sys.stdout.buffer.write(text.encode())
