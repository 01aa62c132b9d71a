# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CSV: as many fields in each line as columns, the columns that docs/report-csv.md names, and the JSON report's numbers.

    csv_kernels.py FOLDER DOCS PROGRAM
"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys

from programs import expect

folder, docs, program = map(pathlib.Path, sys.argv[1:4])
folder.mkdir(parents=True, exist_ok=True)
table, report = folder / "kernels.csv", folder / "report.json"
for file in (table, report):
    file.unlink(missing_ok=True)
subprocess.run([str(program)], env=dict(os.environ, TEAMSAN_OPTIONS=f"check=all,perf:report=csv={table}:report=json={report}"),
               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
lines = list(csv.reader(table.open(newline="")))
columns, rows = lines[0], [dict(zip(lines[0], line)) for line in lines[1:]]
kernels = {kernel["kernel"]: kernel for kernel in json.loads(report.read_text())["traffic"]}
expect(all(len(line) == len(columns) for line in lines), "a line has more or fewer fields than there are columns")
expect(len(set(columns)) == len(columns), "a column comes twice")
expect({row["kernel-name"] for row in rows} == set(kernels) and len(rows) == len(kernels) > 0, f"kernels: {rows} {set(kernels)}")

named = set()
for first, rest in re.findall(r"^\| `([^`]+)`((?:, `[^`]+`)*) \|", docs.read_text(), re.MULTILINE):
    named.add(first)
    for other in re.findall(r"`([^`]+)`", rest):
        named.add(re.sub(r"-(requests|team-size)$", other, first) if other.startswith("-") else other)
known = {re.sub(r"^(scratch|global)-(stores|atomics)-", r"\1-loads-", column) for column in columns}
expect(known <= named, f"columns that the page does not name: {known - named}")
expect(named <= known, f"columns that are only on the page: {named - known}")

for row in rows:
    kernel = kernels[row["kernel-name"]]
    expect(int(row["call-count"]) == kernel["launches"], f"{row['kernel-name']}: {row['call-count']} launches")
    for kind in ("loads", "stores", "atomics"):
        for space, what in (("scratch", "wavefronts"), ("global", "sectors")):
            expect(int(row[f"{space}-{kind}-{what}"]) == kernel[f"{space}_{kind}"][what], f"{space}-{kind}-{what} of {row}")
    for cause, idle in kernel["global_loads"]["idle_lanes"].items():
        expect(int(row["idle-lanes-" + cause.replace("_", "-")]) >= idle, f"idle lanes, {cause}, of {row}")
costs = [float(row["modelled-time"]) for row in rows]
expect(costs == sorted(costs, reverse=True), f"the most costly kernel comes first: {costs}")
