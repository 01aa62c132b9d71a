# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings are written while the program runs: in an order that does not hang on the number of workers, each once.

    stream.py PROGRAM... --drawn PROGRAM...

What teams of the latter do hangs on their order, by atomics: their Rerun lines, told before that is known of the launch, check
all teams already.
"""

import pathlib
import re
import sys

from programs import expect, run

told = 0
ordered, drawn = " ".join(sys.argv[1:]).split(" --drawn ")
for program in ordered.split():
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
expect(told >= len(ordered.split()), f"only {told} findings")
for program in drawn.split():
    for log in run(program, [])[2], run(program, ["stream=0"])[2]:
        lines = re.findall(r"^ Rerun +(.*)$", log, re.M)
        expect(len(lines) == 1 and "--launch-count 1" in lines[0] and "--team" not in lines[0], f"{program}:\n{log}")
print(f"{told} findings told, each once, the same for any number of workers")
