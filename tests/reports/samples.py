# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes every kind of report of one wrong kernel a rule, of the pitfalls and of their clean twins, all kinds in one run,
for the other scripts to judge.

    samples.py DIRECTORY SOURCE_DIRECTORY PROGRAM...
"""

import pathlib
import shutil
import sys

from programs import expect, run, target

FORMATS = ["json", "sarif", "junit", "gitlab", "github", "lines", "text", "html"]

samples, sources, programs = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
shutil.rmtree(samples, ignore_errors=True)
samples.mkdir(parents=True)
for program in programs:
    name = pathlib.Path(program).name
    targets = [target(one, samples / f"{name}.{one}") for one in FORMATS]
    clean = name.endswith("_fixed")
    checks = [] if clean else ["check=all,perf", "fail_on=bank-conflict,uncoalesced,occupancy,divergence,contention", "strict", "spin_limit=100000000", "deterministic", "leak_check=full"]
    # From the source's folder: places are relative to it, as in a repository.
    status, _, output = run(program, checks + targets, folder=sources)
    expect(status == (0 if clean else 66), f"{name} ended with status {status}\n{output}")
    for one in FORMATS:
        file = samples / f"{name}.{one}"
        expect(file.exists(), f"{name}: no {one} report")
        expect(clean or file.stat().st_size > 0, f"{name}: the {one} report is empty")
print(f"{len(programs)} programs, {len(FORMATS)} reports of each")
