"""Findings are written while the program runs: in an order that does not hang on the number of workers, each once.

    stream.py PROGRAM...
"""

import pathlib
import re
import sys

from programs import expect, run

told = 0
for program in sys.argv[1:]:
    name = pathlib.Path(program).name
    logs = {workers: run(program, [f"num_threads={workers}"])[2] for workers in (1, 2, 4)}
    for workers, log in logs.items():
        expect(log == logs[1], f"{name} with {workers} workers:\n{log}\nwith one:\n{logs[1]}")
    late = run(program, ["stream=0"])[2]
    ids = re.findall(r"^ Id +(TS-\w+)$", logs[1], re.M)
    expect(sorted(ids) == sorted(re.findall(r"^ Id +(TS-\w+)$", late, re.M)), f"{name}: {ids}\n{late}")
    expect(len(set(ids)) == len(ids), f"{name} tells a finding twice: {ids}")
    counted = re.findall(r"^ (TS-\w+) ", logs[1].split("==== teamsan: of the findings above ====")[-1], re.M)
    expect(counted == ids, f"{name} told {ids} and counts {counted}")
    # What is said of one while the program runs is what the end would have said, but for the count.
    for block in logs[1].split("==== teamsan: of the findings above ====")[0].split("\n\n"):
        for line in block.splitlines()[1:]:
            if re.match(r" (Why|Fix|Data|WRITE|READ|Id|Rerun) ", line):
                expect(line in late, f"{name}: only while it runs: {line}")
    told += len(ids)
expect(told >= len(sys.argv) - 1, f"only {told} findings")
print(f"{told} findings told, each once, the same for any number of workers")
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
