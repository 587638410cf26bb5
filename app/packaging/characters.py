#!/usr/bin/env python3
"""characters.py ROOT [--own]: the characters of a font subset, for pyftsubset --unicodes-file: Latin, those of
GB 2312, and all that occur in the sources: texts, chapters, vocabularies. --own leaves out those of GB 2312."""
import sys
from pathlib import Path

all = set(range(0x20, 0x180))
if "--own" not in sys.argv:
    for first in range(0xA1, 0xF8):
        for second in range(0xA1, 0xFF):
            all.update(map(ord, bytes([first, second]).decode("gb2312", "ignore")))
for folder in ("app", "assets", "core"):
    for file in Path(sys.argv[1], folder).rglob("*"):
        if file.suffix in {".cpp", ".h", ".inc", ".toml", ".json"}:
            all.update(map(ord, file.read_text(encoding="utf-8", errors="ignore")))
print(",".join(f"{one:04X}" for one in sorted(all) if one >= 0x20))
