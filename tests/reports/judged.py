# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the first finding of each wrong kernel is called and what is told to cure it, held against the table in docs/judged.md,
whose last column a person wrote who read cause and cure beside the source and its fixed twin.

    judged.py TABLE PROGRAM...           fails if a row is missing or out of date, or fewer than 95 of 100 are right
    judged.py --accept TABLE PROGRAM...  writes the rows anew; one whose cause or cure has changed is to be judged again
"""

import json
import pathlib
import re
import sys
import tempfile

from programs import expect, run, target

KERNELS = pathlib.Path(__file__).resolve().parents[1] / "kernels"
HEAD = "| kernel | finding | Fix | judged |\n|---|---|---|---|\n"


def row_of(program, folder, known):
    """(kernel, finding, fix), or None where nothing is to be judged: no finding. Several of one rule in one launch come in the order
    of their instructions' addresses, which hang on how the kernel is compiled: of these, the one that the table has."""
    rule, case = pathlib.Path(program).name.removeprefix("kernel_").split("_", 1)
    text = (KERNELS / rule / f"{case}.cpp").read_text()
    options = [words.strip().replace(" ", ":") for words in re.findall(r"^// OPTIONS: (.*)$", text, re.M)]
    file = pathlib.Path(folder) / "report.json"
    run(program, [*options, target("json", file), "stream=0"])
    findings = json.loads(file.read_text())["findings"]
    file.unlink()
    if not findings:
        return None
    rows = [cells_of(finding, case) for finding in findings if all(finding[k] == findings[0][k] for k in ("rule", "launch"))]
    return f"{rule}/{case}", *next((row for row in rows if list(row) == known.get(f"{rule}/{case}", [])[:2]), rows[0])


def cells_of(finding, case):
    """What the finding is called, and what cures it."""
    lines = ", ".join(str(side["place"]["line"]) for side in finding["sides"] if side["place"])
    fix = re.sub(r"[^\s,;:]*/(%s\.cpp)?:?(\d+)(:\d+)?" % re.escape(case), r":\2", finding["fix"])
    fix = re.sub(r"\b%s\.cpp:(\d+)(:\d+)?" % re.escape(case), r":\1", fix)
    fix = re.sub(r"\bkernel_\w+::", "", fix)  # where kernels are compiled in batches
    return f"{finding['rule']} at {lines or 'no line'}", fix.replace("\n", " ").replace("|", "\\|") or "none"


def rows_of(text):
    cells = (re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if re.match(r"\| [a-z-]+/", line))
    return {one[0].strip(): [cell.strip() for cell in one[1:]] for one in cells}


accept = "--accept" in sys.argv
table, *programs = [word for word in sys.argv[1:] if word != "--accept"]
table = pathlib.Path(table)
text = table.read_text()
known = rows_of(text)
with tempfile.TemporaryDirectory() as scratch:
    rows = [row for row in (row_of(program, scratch, known) for program in sorted(programs)) if row]
if accept:
    lines = []
    for kernel, finding, fix in rows:
        before = known.get(kernel, ["", "", ""])
        lines.append(f"| {kernel} | {finding} | {fix} | {before[2] if before[:2] == [finding, fix] else '?'} |\n")
    table.write_text(text[:text.index(HEAD)] + HEAD + "".join(lines))
    print(f"{sum(line.endswith('| ? |' + chr(10)) for line in lines)} of {len(lines)} rows are to be judged")
else:
    for kernel, finding, fix in rows:
        expect(known.get(kernel, [])[:2] == [finding, fix], f"{kernel} is now: {finding}: {fix}\n{table} has {known.get(kernel)}")
    # What real programs' findings are likened to.
    for rule, cases in re.findall(r"\| ([a-z-]+) ([a-z0-9_, -]+) \|$", text[:text.index(HEAD)], re.M):
        for name in f"{rule} {cases}".split(", "):
            rule, case = name.split() if " " in name else (rule, name)
            expect((KERNELS / rule / f"{case}.cpp").exists(), f"there is no kernel {rule}/{case}")
    right = sum(one[2] == "right" for one in known.values())
    expect(len(known) == len(rows) >= 100, f"{len(known)} rows, {len(rows)} kernels")
    expect(all(one[2] and one[2] != "?" for one in known.values()), "a row is not judged")
    expect(right >= 0.95 * len(known), f"{right} of {len(known)} are right")
    print(f"{right} of {len(known)} are right")
