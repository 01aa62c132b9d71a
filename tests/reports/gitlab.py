# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GitLab's code quality: an array of issues with the fields that it asks for.

    gitlab.py SAMPLES
"""

import json
import pathlib
import sys

from programs import expect

SEVERITIES = {"info", "minor", "major", "critical", "blocker"}
files = sorted(pathlib.Path(sys.argv[1]).glob("*.gitlab"))
expect(len(files) > 20, f"only {len(files)} files")
for file in files:
    issues = json.loads(file.read_text())
    expect(isinstance(issues, list), f"{file.name} is no array")
    expect(bool(issues) != file.stem.endswith("_fixed"), f"{file.name}: {len(issues)} issues")
    findings = json.loads(file.with_suffix(".json").read_text())["findings"]
    for issue, finding in zip(issues, findings):
        expect(finding["fix"] in issue["description"], f"{file.name}: no cure in {issue['description']}")
        for side in finding["sides"]:
            expect(not side["place"] or f":{side['place']['line']}" in issue["description"],
                   f"{file.name}: a side is missing in {issue['description']}")
        for field in ("description", "check_name", "fingerprint"):
            expect(isinstance(issue[field], str) and issue[field], f"{file.name}: {field} is missing")
        expect(issue["severity"] in SEVERITIES, f"{file.name}: severity {issue['severity']}")
        path, line = issue["location"]["path"], issue["location"]["lines"]["begin"]
        expect(isinstance(line, int) and line >= 1, f"{file.name}: line {line}")
        expect(path.startswith("tests/kernels/") or path.startswith("examples/"), f"{file.name}: path {path}")
    prints = [issue["fingerprint"] for issue in issues]
    expect(len(set(prints)) == len(prints), f"{file.name}: a fingerprint comes twice")
print(f"{len(files)} files")
