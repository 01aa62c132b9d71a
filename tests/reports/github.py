# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Annotations of GitHub Actions, read as its runner reads them: one line each, its properties, the text unescaped.

    github.py SAMPLES
"""

import json
import pathlib
import re
import sys

from programs import expect

files = sorted(pathlib.Path(sys.argv[1]).glob("*.github"))
expect(len(files) > 20, f"only {len(files)} files")
for file in files:
    findings = json.loads(file.with_suffix(".json").read_text())["findings"]
    lines = file.read_text().splitlines()
    expect(len(lines) == len(findings), f"{file.name}: {len(lines)} lines of {len(findings)} findings")
    for line, finding in zip(lines, findings):
        match = re.fullmatch(r"::(error|warning|notice) ((?:[a-z]+=[^,:]*)(?:,[a-z]+=[^,:]*)*)::(.+)", line)
        expect(match, f"{file.name}: {line}")
        properties = dict(one.split("=", 1) for one in match[2].split(","))
        place = finding["sides"][0]["place"]
        if place["internal"]:
            place = finding["launched"][0]
        expect(properties["title"] == "TeamSan " + finding["rule"], f"{file.name}: {properties}")
        expect(properties["file"] == place["file"] and int(properties["line"]) == place["line"], f"{file.name}: {properties}")
        text = re.sub("%0A", "\n", match[3])
        expect(finding["title"] in text.replace("%25", "%"), f"{file.name}: {text}")
print(f"{len(files)} files")
