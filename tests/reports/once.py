# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A fault that makes several findings is told once: the first finding in full, the others under it, folded in HTML. What
counts, counts all of them: the exit status, JSON, the last line.

    once.py PROGRAM
"""

import json
import pathlib
import re
import sys
import tempfile

from programs import expect, run, target

program = sys.argv[1]
RACES = {"scratch-race", "global-race"}
# Rules that there must be, and the fewest findings.
FAULTS = {
    "missing_meeting": ({"scratch-race"}, 4),
    "views_that_take_turns": ({"global-race"}, 2),
    "one_statement": ({"global-race", "same-value"}, 2),
    "uninitialised": ({"scratch-race", "uninit-scratch"}, 2),
    "updates_in_place": ({"scratch-race"}, 12),
    "vector_length": ({"global-race"}, 24),
    "one_store": ({"global-race"}, 3),
    "one_announcement": ({"unfenced-handover"}, 2),
}
for fault, (rules, fewest) in FAULTS.items():
    with tempfile.TemporaryDirectory() as folder:
        file, page = pathlib.Path(folder) / "report.json", pathlib.Path(folder) / "report.html"
        status, _, text = run(program, [target("json", file), target("html", page), "stream=0"], arguments=[fault])
        report, page = json.loads(file.read_text()), page.read_text()
        streamed = run(program, [], arguments=[fault])[2]
    findings = report["findings"]
    told = f"{fault}: {[(f['id'], f['rule'], f['cause']) for f in findings]}\n{text}"
    expect(status == 66, f"{fault}: status {status}")
    expect({f["rule"] for f in findings} == rules and len(findings) >= fewest, told)
    head, *others = findings
    expect(head["cause"] is None and all(f["cause"] == head["id"] for f in others), told)
    for whole in (text, streamed):
        expect(len(re.findall(r"^ Fix     ", whole, re.M)) == 1, f"more than one is told in full: {told}\n{whole}")
        lines = re.findall(r"^ (?:Also   |       ) (TS-\w+) (\S+)", whole, re.M)
        expect(sorted(lines) == sorted((f["id"], f["rule"]) for f in others), f"what is listed: {lines}: {told}\n{whole}")
    errors = sum(f["severity"] == "error" for f in findings)
    expect(re.search(rf"^==== teamsan: {errors} errors?\b[^=]* of 1 cause\b", text, re.M), f"all count: {told}")
    # The page holds every finding, and of which one it is a part: html/page looks at the fold itself.
    held = re.findall(r'"cause":(null|\d+)', page)
    expect(held == ["null"] + ["0"] * len(others), f"{fault}: the page has {held}")
    print(f"{fault}: {len(findings)} findings told as one")
