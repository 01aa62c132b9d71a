# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ids of findings: the same after lines were inserted, indented or commented; another one for a line whose text changed.
And so for --baseline. Optimisation changes none.

    ids.py DIRECTORY AS_IT_IS INSERTED INDENTED COMMENTED CHANGED UNOPTIMISED     (made of edited.cpp by edit.cmake)
"""

import json
import pathlib
import shutil
import sys

from programs import expect, run, target

folder = pathlib.Path(sys.argv[1])
as_it_is, moved, changed, unoptimised = sys.argv[2], sys.argv[3:6], sys.argv[6], sys.argv[7]
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
BASELINE = folder / "baseline.json"


def findings(program, file, *options):
    status, _, output = run(program, [target("json", file), *options])
    report = json.loads(file.read_text())
    expect(status == (66 if report["errors"] else 0), f"{program} ended with status {status}\n{output}")
    return report


def summary(report):
    """The rule and id of each finding; and where it is."""
    return ([(one["rule"], one["id"]) for one in report["findings"]],
            [[side["place"]["line"] for side in one["sides"]] for one in report["findings"]])


first, first_lines = summary(findings(as_it_is, BASELINE))
expect(sorted(rule for rule, _ in first) == ["global-race", "scratch-race", "scratch-race", "uninit-global"], f"{first}")
expect(len({one for _, one in first}) == 4, f"two findings share an id: {first}")
for program in moved:
    name = pathlib.Path(program).name
    ids, lines = summary(findings(program, folder / f"{name}.json"))
    expect(ids == first, f"{name}: {ids} were {first}")
    expect((lines != first_lines) == name.endswith("inserted"), f"{name}: lines {lines} were {first_lines}")
    left = findings(program, folder / f"{name}.left.json", f'baseline="{BASELINE}"')
    expect(not left["findings"] and left["program"]["suppressed"] == 4, f"{name} against the baseline: {left}")

ids, _ = summary(findings(unoptimised, folder / "unoptimised.json"))
expect(ids == first, f"unoptimised: {ids} were {first}")

# One of two lines was changed: the finding that has it is new, the others are known.
new, _ = summary(findings(changed, folder / "changed.json"))
fresh = [one for one in new if one not in first]
expect(len(new) == 4 and [rule for rule, _ in fresh] == ["scratch-race"], f"after the change {new} were {first}")
left = findings(changed, folder / "changed.left.json", f'baseline="{BASELINE}"')
expect(summary(left)[0] == fresh and left["program"]["suppressed"] == 3, f"changed, against the baseline: {left}")
print(f"ids {', '.join(one for _, one in first)} survive; {fresh[0][1]} is new")
