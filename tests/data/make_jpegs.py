#!/usr/bin/python3
"""Makes tests/data/pictures: tiny baseline JPEGs in every colour encoding that the program reads, and for each a PNG of its
pixels by the plain definitions (ITU-T T.81: sums of cosines in float64; JFIF: colours), without libjpeg.

Coefficients are written by this file's own encoder, so the correct result of a decoder is known. `--check` regenerates
everything and compares it with the files.
"""

import struct
import sys
from pathlib import Path

import numpy as np

from make_checkpoints import png

OUT = Path(__file__).parent / "pictures"
ZIGZAG = sorted(range(64), key=lambda i: (i // 8 + i % 8, i // 8 if (i // 8 + i % 8) % 2 else i % 8))
QUANT = np.array([[3 + (u + v) // 2 for u in range(8)] for v in range(8)])
BASIS = np.array([[(1 / np.sqrt(8) if u == 0 else 0.5) * np.cos((2 * x + 1) * u * np.pi / 16) for x in range(8)] for u in range(8)])


# --- bits: one Huffman table with 8 bits for each length of a difference, and one with at most 16 bits for runs and sizes

DC_VALUES = list(range(12))
AC_VALUES = [0x00, 0xF0] + [run * 16 + size for run in range(16) for size in range(1, 11)]


def codes(counts, values):
    """T.81, annex C: codes of one length are consecutive."""
    out, code, at = {}, 0, 0
    for length, count in enumerate(counts, 1):
        for _ in range(count):
            out[values[at]] = (code, length)
            code, at = code + 1, at + 1
        code *= 2
    return out


DC_COUNTS = [0, 0, 0, 12] + [0] * 12
AC_COUNTS = [0, 0, 0, 0, 0, 0, 0, len(AC_VALUES)] + [0] * 8
DC, AC = codes(DC_COUNTS, DC_VALUES), codes(AC_COUNTS, AC_VALUES)


def magnitude(value):
    """The size of a value in bits, and the bits: for a negative value, those of value - 1."""
    size = int(abs(value)).bit_length()
    return size, (value if value >= 0 else value + (1 << size) - 1)


def block_bits(block, before):
    numbers = [int(block.flat[i]) for i in ZIGZAG]
    size, bits = magnitude(numbers[0] - before)
    out, run = [DC[size], (bits, size)], 0
    for value in numbers[1:]:
        if value == 0:
            run += 1
            continue
        while run > 15:
            out, run = out + [AC[0xF0]], run - 16
        size, bits = magnitude(value)
        out, run = out + [AC[run * 16 + size], (bits, size)], 0
    return out + ([AC[0]] if run else [])


def packed(parts):
    text = "".join(format(bits, f"0{size}b") for bits, size in parts if size)
    text += "1" * (-len(text) % 8)
    return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8)).replace(b"\xff", b"\xff\x00")


# --- planes

def padded(plane, rows, cols):
    return np.pad(plane, ((0, rows - plane.shape[0]), (0, cols - plane.shape[1])), "edge")


def transformed(plane):
    """Quantised coefficients of every block: rows of blocks, columns of blocks, 8, 8."""
    blocks = (plane - 128.0).reshape(plane.shape[0] // 8, 8, plane.shape[1] // 8, 8).transpose(0, 2, 1, 3)
    return np.rint(BASIS @ blocks @ BASIS.T / QUANT).astype(int)


def plane_of(coefficients):
    blocks = BASIS.T @ (coefficients * QUANT) @ BASIS
    plane = blocks.transpose(0, 2, 1, 3).reshape(coefficients.shape[0] * 8, coefficients.shape[1] * 8)
    return np.rint(plane + 128).clip(0, 255)


def doubled(plane):
    """Doubles the rows: each new row is three quarters the nearer centre and one quarter the other."""
    near = np.repeat(plane, 2, axis=0)
    far = np.pad(plane, ((1, 1), (0, 0)), "edge")
    far = np.stack([far[:-2], far[2:]], axis=1).reshape(near.shape)
    return 0.75 * near + 0.25 * far


def jpeg(planes, shares, markers):
    """A file of these planes, and each plane as it is decoded. `shares`: 1, or 2 where the plane has half as many rows and
    columns."""
    most, (height, width) = max(shares), planes[0].shape
    unit = 8 * most
    across, down = -(-width // unit), -(-height // unit)
    blocks, decoded = [], []
    for plane, share in zip(planes, shares):
        rows, cols = -(-height // share), -(-width // share)
        small = padded(plane, rows * share, cols * share).reshape(rows, share, cols, share).mean((1, 3))
        per = most // share
        blocks.append(transformed(padded(small, down * per * 8, across * per * 8)))
        back = plane_of(blocks[-1])[:rows, :cols]
        if share == 2:
            back = doubled(doubled(back).T).T
        decoded.append(back[:height, :width])
    parts, before = [], [0] * len(planes)
    for y in range(down):
        for x in range(across):
            for i, share in enumerate(shares):
                per = most // share
                for block in (blocks[i][y * per + dy, x * per + dx] for dy in range(per) for dx in range(per)):
                    parts += block_bits(block, before[i])
                    before[i] = int(block[0, 0])

    def segment(marker, data):
        return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data

    ids = range(1, len(planes) + 1)
    frame = struct.pack(">BHHB", 8, height, width, len(planes)) + b"".join(bytes([i, most // s * 17, 0]) for i, s in zip(ids, shares))
    scan = bytes([len(planes)]) + b"".join(bytes([i, 0]) for i in ids) + bytes([0, 63, 0])
    out = b"\xff\xd8" + b"".join(segment(marker, data) for marker, data in markers)
    out += segment(0xDB, b"\0" + bytes(int(QUANT.flat[i]) for i in ZIGZAG)) + segment(0xC0, frame)
    out += segment(0xC4, b"\0" + bytes(DC_COUNTS) + bytes(DC_VALUES)) + segment(0xC4, b"\x10" + bytes(AC_COUNTS) + bytes(AC_VALUES))
    return out + segment(0xDA, scan) + packed(parts) + b"\xff\xd9", decoded


# --- colours

def to_ycc(rgb):
    r, g, b = rgb
    y = 0.299 * r + 0.587 * g + 0.114 * b
    return [y, 128 + (b - y) / 1.772, 128 + (r - y) / 1.402]


def to_rgb(ycc):
    y, cb, cr = ycc[0], ycc[1] - 128, ycc[2] - 128
    return [np.rint(c).clip(0, 255) for c in
            (y + 1.402 * cr, y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587, y + 1.772 * cb)]


def on_paper(kept):
    """Inks that are stored inverted, as Adobe's programs do: the light that each transmits."""
    return [np.rint(c * kept[3] / 255) for c in kept[:3]]


def picture(height, width):
    """Smooth colours and an edge."""
    y, x = np.indices((height, width)).astype(float)
    r, g, b = 40 + 180 * x / width, 210 - 150 * y / height, 120 + 60 * np.sin(x / 5) * np.cos(y / 4)
    r[height // 2:, : width // 3] = 225
    return [np.rint(c) for c in (r, g, b)]


JFIF = (0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")


def adobe(transform):
    return 0xEE, b"Adobe\0\x64\0\0\0\0" + bytes([transform])


def kinds():
    """Maps names to files and the three planes that each shows."""
    rgb = picture(19, 26)
    ink = [*rgb, np.rint(255 - 90 * np.indices((19, 26))[1] / 26)]
    out = {}
    file, (grey,) = jpeg([to_ycc(rgb)[0]], [1], [JFIF])
    out["grey"] = file, [grey] * 3
    file, planes = jpeg(to_ycc(rgb), [1, 1, 1], [JFIF])
    out["color"] = file, to_rgb(planes)
    file, planes = jpeg(to_ycc(rgb), [1, 2, 2], [JFIF])
    out["color-halved"] = file, to_rgb(planes)
    file, planes = jpeg(rgb, [1, 1, 1], [adobe(0)])
    out["rgb"] = file, planes
    file, planes = jpeg(ink, [1, 1, 1, 1], [adobe(0)])
    out["cmyk"] = file, on_paper(planes)
    # The inks of a file stored as brightness and colour differences are those of the light values.
    file, planes = jpeg([*to_ycc([255 - c for c in rgb]), ink[3]], [1, 1, 1, 1], [adobe(2)])
    out["ycck"] = file, on_paper([*(255 - c for c in to_rgb(planes[:3])), planes[3]])
    return out


def files():
    out = {}
    for name, (file, planes) in kinds().items():
        out[name + ".jpg"] = file
        out[name + ".png"] = png(np.stack(planes, axis=2).astype(np.uint8))
    return out


def main():
    if "--check" in sys.argv[1:]:
        wrong = [name for name, data in files().items() if not (OUT / name).exists() or (OUT / name).read_bytes() != data]
        print("\n".join(f"another: {one}" for one in wrong) if wrong else "pictures: made again, the same")
        return 1 if wrong else 0
    OUT.mkdir(exist_ok=True)
    for name, data in files().items():
        (OUT / name).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
