# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text report of each program in golden/, held against the file beside it. NAME.before.txt is what was told before causes
and cures were gone through: for people, no test reads it.

    golden.py FOLDER PROGRAM...           fails where a report is another one
    golden.py --accept FOLDER PROGRAM...  writes the reports anew
"""

import difflib
import pathlib
import re
import sys

from programs import expect, run

accept = "--accept" in sys.argv
folder, *programs = [pathlib.Path(word) for word in sys.argv[1:] if word != "--accept"]
ARGUMENTS = {"redundant_fix": {"": [], "_atomic": ["1"]}}


def report_of(program, name, words):
    """As a reader sees it wherever the program lies."""
    status, _, text = run(program, ["stream=0"], folder=folder, arguments=words)
    text = text[text.index("==== teamsan"):]  # what goes before is the program's own
    text = re.sub(r"\S*/include/kokkos/", "KOKKOS/", text)
    # Lines to paste hold the paths of this build, wherever they break.
    text = re.sub(r"^( Rerun   )teamsan.*?\n(?= \w)", r"\1...\n", re.sub(r"^( Rerun   )\S*teamsan ", r"\1teamsan ", text, flags=re.M),
                  flags=re.M | re.S)
    text = text.replace(f"{folder}/", "")
    return f"{text}status {status}\n"


wrong = []
for program in sorted(programs):
    name = program.name.removeprefix("golden_")
    for suffix, words in ARGUMENTS.get(name, {"": []}).items():
        file = folder / f"{name}{suffix}.txt"
        text = report_of(program, name, words)
        if accept:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            known = file.read_text() if file.exists() else ""
            wrong += difflib.unified_diff(known.splitlines(), text.splitlines(), str(file), "now", lineterm="")
expect(not wrong, "reports differ; golden.py --accept takes them as they are\n" + "\n".join(wrong))
