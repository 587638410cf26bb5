"""Export: files and the clipboard."""

import json
import subprocess

from hands import expect


def exports_to_files(stage):
    with stage.open(text="the tired cat", variant="raw") as program:
        program.go_to("weights")
        program.key("ctrl+e", lambda r: r["sheet"] == "export", "the export panel")
        program.click("export_scale.0")
        program.click("export_save")
        seen = program.until(lambda r: r["sheet"] == "none" and r["done"], "a picture")
        picture = stage.home.path / "attenscope-weights.png"
        expect(str(picture) in seen["done"], f"said {seen['done']!r}")
        head = picture.read_bytes()[:24]
        expect(head[:8] == b"\x89PNG\r\n\x1a\n", "no PNG")
        size = [int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")]
        expect(size == seen["window"], f"{size} is not the window's size")
        program.key("ctrl+e", lambda r: r["sheet"] == "export", "the export panel again")
        program.click("export_what.3")
        program.click("export_save")
        program.until(lambda r: r["sheet"] == "none" and "attenscope-weights.csv" in r["done"], "a matrix")
        lines = (stage.home.path / "attenscope-weights.csv").read_text().splitlines()
        expect(lines[0] == ",the,tired,cat" and len(lines) == 4, f"lines {lines}")


def other_programs_open_what_was_exported(stage):
    """The view as PNG and the same view as SVG, drawn by rsvg and compared by ImageMagick; a matrix for NumPy and as CSV."""
    home = stage.home.path

    def said_by(*command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120, check=False)
        return (done.stdout + done.stderr).strip()

    def export(program, name, *choices):
        program.key("ctrl+e", lambda r: r["sheet"] == "export", "the export panel")
        for choice in choices:
            program.click(choice)
            program.settled()
        program.click("export_save")
        program.until(lambda r: r["sheet"] == "none" and name in r["done"], name)
        return home / name

    with stage.open(text="the tired cat", variant="raw") as program:
        program.go_to("weights")
        png = export(program, "attenscope-weights.png", "export_scale.0")
        svg = export(program, "attenscope-weights.svg", "export_format.1")
        wide, high = program.settled()["window"]
        drawn = home / "drawn.png"
        said = said_by("rsvg-convert", "-w", wide, "-h", high, svg, "-o", drawn)
        expect(drawn.exists(), f"rsvg: {said}")
        said = said_by("identify", "-format", "%w %h", png)
        expect(said == f"{wide} {high}", f"ImageMagick sees {said}")
        # Letters drawn by another program differ slightly; a missing element differs by far more.
        said = said_by("compare", "-metric", "RMSE", png, drawn, "null:")
        expect(0 < float(said.split("(")[1].rstrip(")")) < 0.1, f"PNG and SVG differ by {said}")
        csv = export(program, "attenscope-weights.csv", "export_what.3")
        npy = export(program, "attenscope-weights.npy", *choice_of(program, "export_format", 3))
    numbers = [[float(x) for x in line.split(",")[1:]] for line in csv.read_text().splitlines()[1:]]
    read = said_by("/usr/bin/python3", "-c", "import numpy, sys; a = numpy.load(sys.argv[1]); "
                   "print(a.dtype, a.tolist())", npy)
    kind, rows = read.split(" ", 1)
    expect(kind == "float32" and len(numbers) == 3, f"NumPy reads {read}")
    expect(all(abs(a - b) < 1e-7 for x, y in zip(json.loads(rows), numbers) for a, b in zip(x, y)),
           f"NumPy reads {rows}, the table has {numbers}")


def choice_of(program, widget, index):
    """The control to click for one of several choices, which are side by side or in a list that opens."""
    program.key("ctrl+e", lambda r: r["sheet"] == "export", "the export panel")
    side_by_side = any(name == f"{widget}.{index}" for name, *_ in program.settled()["widgets"])
    program.key("Escape", lambda r: r["sheet"] == "none", "no panel")
    return [f"{widget}.{index}"] if side_by_side else [widget, f"{widget}.{index}"]


def copies_and_pastes(stage):
    with stage.open(text="the tired cat", variant="raw") as program:
        program.go_to("weights")
        program.key("ctrl+c", lambda r: r["done"], "a copied matrix")
        rows = [[float(x) for x in line.split("\t")] for line in program.clipboard().splitlines()]
        expect([len(row) for row in rows] == [3, 3, 3], f"rows {rows}")
        expect(all(abs(sum(row) - 1) < 1e-5 for row in rows), "these are no weights")
        program.key("Escape", lambda r: not r["typing"], "nothing")
        program.key("ctrl+shift+l", lambda r: "link" in r["done"], "a copied link")
        link = program.clipboard()
        expect(link.startswith("attenscope:1:"), f"link {link!r}")
        program.copy_elsewhere("another sentence")
        program.key("ctrl+v", lambda r: r["text"] == "another sentence", "the pasted sentence")
        program.copy_elsewhere(link)
        program.key("ctrl+v", lambda r: r["text"] == "the tired cat", "the document of the link")
        program.key("ctrl+d", lambda r: r["sheet"] == "description", "the view in words")
        program.click("description_copy")
        program.settled()
        expect("the" in program.clipboard() and "matrix" in program.clipboard(), "not the words")
    with stage.start(link) as program:
        expect(program.settled()["text"] == "the tired cat", "the link does not open from the command line")
