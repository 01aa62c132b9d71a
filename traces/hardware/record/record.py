#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what a chip's counters give for the warp accesses of a CSV (the form of ../README.md).

  record.py shared|global ACCESSES.csv RECORDED.csv

Needs nvcc and ncu (NVIDIA Nsight Compute), and the right to read counters. Columns after the offsets that
ACCESSES.csv may have are left out of RECORDED.csv, which gets the chip's own.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FIXED = 4 + 32

# What each column adds up. A kernel makes one access, so the sum over operations is that access.
COUNTERS = {
    "shared": {
        # Not the total over all operations: that has one wavefront more in any kernel, one without access too.
        "wavefronts": [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"
                       for op in ("ld", "st", "atom")],
        "bank_conflicts": [f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum"
                           for op in ("ld", "st", "atom")],
    },
    "global": {
        "requests": [f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum"
                     for op in ("ld", "st", "red", "atom")],
        "sectors": [f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum"
                     for op in ("ld", "st", "red", "atom")],
    },
}


def fail(sentence):
    sys.exit("record.py: " + sentence)


def profile(program, space, accesses, work):
    """One dictionary of counters for each kernel, in launch order, and what the program printed."""
    names = [name for group in COUNTERS[space].values() for name in group]
    log = work / "ncu.csv"
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
               "--metrics", ",".join(names), "--log-file", str(log), str(program), space, str(accesses)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if ran.returncode != 0:
        fail("ncu failed; its log says: " + (log.read_text()[-2000:] if log.exists() else "nothing"))
    lines = [line for line in log.read_text().splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(lines))
    missing = [name for name in names if rows and name not in rows[0]]
    if missing:
        fail("this chip or this ncu does not know " + ", ".join(missing))
    return [row for row in rows if row["ID"].isdigit()], ran.stdout


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in COUNTERS:
        fail("usage: record.py shared|global ACCESSES.csv RECORDED.csv")
    space, accesses, recorded = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    wanted = [row[:FIXED] for row in csv.reader(accesses.open()) if row]
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        program = work / "record"
        built = subprocess.run(["nvcc", "-std=c++17", "-O3", "-arch=native", "-o", str(program),
                                str(HERE / "record.cu")])
        if built.returncode != 0:
            fail("nvcc could not build record.cu")
        kernels, printed = profile(program, space, accesses, work)
    if len(kernels) != len(wanted) - 1:
        fail(f"ncu saw {len(kernels)} kernels, {len(wanted) - 1} accesses were to be made")
    base = []  # of a column `base`, in global memory only: the banks of shared memory begin with it
    if space == "global":
        base = re.findall(r"^base (\d+)$", printed, re.MULTILINE)
        if len(base) != 1:
            fail("the program did not say where its memory begins")
    with recorded.open("w") as out:
        print(",".join(wanted[0] + (["base"] if base else []) + list(COUNTERS[space])), file=out)
        for row, kernel in zip(wanted[1:], kernels):
            counts = [str(round(sum(float(kernel[name].replace(",", "")) for name in group)))
                      for group in COUNTERS[space].values()]
            print(",".join(row + base + counts), file=out)
    print(f"record.py: {len(kernels)} accesses recorded in {recorded}")


main()
