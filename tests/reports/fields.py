# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scratch and Views of structs: a finding names the element and its member, where the program was compiled with -g.

    fields.py WITH_TYPES WITHOUT     (both made of fields.cpp)
"""

import json
import pathlib
import sys
import tempfile

from programs import expect, run, target


def data_of(program):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.json"
        _, _, output = run(program, [target("json", file), "stream=0"])
        return [one["data"] for one in json.loads(file.read_text())["findings"]], output


named, text = data_of(sys.argv[1])
fields = {(one["kind"], one["label"]): one["field"] for one in named}
expect(fields == {("scratch", "tile"): "radius", ("view", "boxes"): "high[1]", ("view", "cells"): "box.low[0]"}, f"{fields}\n{text}")
for words in ("field radius", "field high[1]", "field box.low[0]"):
    expect(words in text, f"{words} is not in\n{text}")
unnamed, text = data_of(sys.argv[2])
expect(len(unnamed) == 3 and all(one["field"] == "" for one in unnamed) and ", field " not in text, text)
for words in ("12 of the element", "element 1 of 64"):
    expect(words in text, f"{words} is not in\n{text}")
