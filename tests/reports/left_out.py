# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `teamsan explain` and --gen-suppressions say about leaving a finding out holds for a finding of every rule.

    left_out.py SAMPLES SOURCE_DIRECTORY PROGRAM... --by-fix PROGRAM --by-view PROGRAM
        SAMPLES: what samples.py wrote of the same programs; of the first of the last two Fix spells out what leaves its findings
        out, of the other one the variables and Views that they name do
"""

import json
import pathlib
import re
import sys

from programs import expect, run, target

samples, sources, programs = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:-4]
assert sys.argv[-4::2] == ["--by-fix", "--by-view"]
OPTIONS = ["check=all,perf", "fail_on=bank-conflict,uncoalesced,occupancy,divergence,contention", "strict", "spin_limit=100000000", "deterministic", "leak_check=full"]
rules = set()


def left_with(program, lines):
    """The findings that are left with these suppressions."""
    file, report = samples / "suppressions", samples / "left.json"
    file.write_text("".join(line + "\n" for line in lines))
    _, _, output = run(program, OPTIONS + [f'suppressions="{file}"', target("json", report)], folder=sources)
    left = json.loads(report.read_text())
    expect("matched nothing" not in output, f"a line of {lines} matched nothing:\n{output}")
    return [one["rule"] for one in left["findings"]]


for program in programs:
    name = pathlib.Path(program).name
    if name.endswith("_fixed"):
        continue
    findings = json.loads((samples / f"{name}.json").read_text())["findings"]
    rules |= {one["rule"] for one in findings}
    by_place = {f"{one['rule']}:{one['sides'][0]['place']['file']}:{one['sides'][0]['place']['line']}" for one in findings}
    left = left_with(program, sorted(by_place))
    expect(not left, f"{name}: {left} are left with {by_place}")
    left = left_with(program, sorted({f"kernel:{one['kernel']}" for one in findings if one["kernel"]}))
    expect(not [one for one in findings if one["kernel"]] or not left, f"{name}: {left} are left by kernel")
    _, _, output = run(program, OPTIONS + ["gen_suppressions"], folder=sources)
    generated = [line for line in output.splitlines() if line.startswith("id:TS-")]
    expect(len(generated) == len(findings), f"{name}: --gen-suppressions gave {generated} for {len(findings)} findings")
    left = left_with(program, generated)
    expect(not left, f"{name}: {left} are left with {generated}")


def findings_of(program):
    report = samples / "last.json"
    run(program, OPTIONS + [target("json", report)], folder=sources)
    return json.loads(report.read_text())["findings"]


by_fix, by_view = sys.argv[-3], sys.argv[-1]
spelt = {match[1] for one in findings_of(by_fix) if (match := re.search(r"a suppression leaves it out: (.*)", one["fix"]))}
expect(spelt and not left_with(by_fix, sorted(spelt)), f"something is left with {spelt}")
named = {f"view:^{one['data']['label']}$" for one in findings_of(by_view)}
expect(len(named) == 2 and not left_with(by_view, sorted(named)), f"something is left with {named}")
expect(len(rules) >= 17, f"only these rules were seen: {sorted(rules)}")
print(f"{len(rules)} rules: by place, by kernel and by --gen-suppressions")
