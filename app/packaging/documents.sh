# shellcheck shell=bash disable=SC2154
# Checks that the program writes the same bytes of trace.json for the same documents on every system. Sourced by the tests of
# the page and of the archive for Windows, which set `root`.

# random_documents COUNT FOLDER: writes 0.json, 1.json, … to FOLDER/documents.
random_documents() {
  mkdir -p -- "$2/documents"
  /usr/bin/python3 "$root/tests/data/random_documents.py" "$1" 36 "$2"
  /usr/bin/python3 - "$2" <<'PYTHON'
import json
import sys
from pathlib import Path
seen = Path(sys.argv[1])
for i, case in enumerate(json.loads((seen / "1.json").read_text())["cases"]):
    (seen / "documents" / f"{i}.json").write_text(json.dumps(case["document"]))
PYTHON
}

# same_documents COUNT FOLDER NATIVE: NATIVE's output for each N.json equals the other program's (N.other, N.other.problem).
same_documents() {
  local same=0 other=0 file
  for file in "$2"/documents/*.json; do
    "$3" trace - <"$file" >"${file%.json}.native" 2>"${file%.json}.native.problem" || true
    if cmp -s -- "${file%.json}.other" "${file%.json}.native" && cmp -s -- "${file%.json}.other.problem" "${file%.json}.native.problem"; then
      same=$((same + 1))
    else
      other=$((other + 1))
      echo "differs: $file"
    fi
  done
  echo "random documents: $same the same, $other not"
  ((other == 0 && same == $1))
}
