#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Active lanes of a warp as a chip counts them (of instructions) beside the simulator's (of accesses to memory), and what a
chip's caches make of these accesses.

  costs.py gpu BUILD GPU.csv
  costs.py simt BUILD SIMT.csv
  costs.py compare GPU.csv SIMT.csv COSTS.csv

BUILD: as for counters.py; the program is bench/hardware/costs.cpp. Needs what counters.py needs. Nsight Compute empties the caches
before each kernel.
"""
import collections
import csv
import pathlib
import sys

import counters

# Column: the counter. The first two are shares, and stand for the launch's instructions.
CHIP = {
    "lanes_per_instruction": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "lanes_not_predicated": "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    "l1_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1_load_hits": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "l2_sectors": "lts__t_sectors.sum",
    "l2_hits": "lts__t_sectors_lookup_hit.sum",
    "l2_sectors_of_l1": "lts__t_sectors_srcunit_tex.sum",
    "l2_hits_of_l1": "lts__t_sectors_srcunit_tex_lookup_hit.sum",
    "dram_bytes_read": "dram__bytes_read.sum",
    "dram_bytes_written": "dram__bytes_write.sum",
}
SHARES = ("lanes_per_instruction", "lanes_not_predicated")
OURS = ("lanes_per_access", "sectors", "load_sectors")
KINDS = [f"{space}_{what}" for space in ("scratch", "global") for what in ("loads", "stores", "atomics")]


def write(table, columns, totals):
    with table.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "launches", *columns])
        for kernel, row in totals.items():
            writer.writerow([kernel, row["launches"], *(f"{row[c] / row['launches']:.2f}" if c in SHARES else
                                                        f"{row[c]:.2f}" if c == OURS[0] else round(row[c]) for c in columns)])


def gpu(build, table):
    totals = {}
    for launch in counters.profiled(build, ["costs"], list(CHIP.values())):
        if launch is None:
            continue
        _, kernel, values = launch
        total = totals.setdefault(kernel, collections.Counter())
        total["launches"] += 1
        for column, metric in CHIP.items():
            total[column] += values[metric]
    write(table, CHIP, totals)


def simt(build, table):
    totals = {}
    for _, traffic in counters.reports(build, ["costs"]):
        requests = sum(traffic[kind]["requests"] for kind in KINDS)
        if requests == 0:
            continue
        totals[traffic["kernel"]] = {
            "launches": traffic["launches"],
            "lanes_per_access": sum(traffic[kind]["lane_accesses"] for kind in KINDS) / requests,
            "sectors": sum(traffic[kind]["sectors"] for kind in KINDS),
            "load_sectors": traffic["global_loads"]["sectors"]}
    write(table, OURS, totals)


def compare(of_gpu, of_simt, table):
    def read(path):
        with path.open(newline="") as file:
            return {row["kernel"]: row for row in csv.DictReader(file)}

    chip, simulator = read(of_gpu), read(of_simt)
    kernels = [kernel for kernel in chip if kernel in simulator]
    near = 0
    with table.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kernel", "launches", *CHIP, *OURS])
        for kernel in kernels:
            writer.writerow([kernel, chip[kernel]["launches"], *(chip[kernel][c] for c in CHIP), *(simulator[kernel][c] for c in OURS)])
            near += abs(float(chip[kernel][SHARES[0]]) - float(simulator[kernel][OURS[0]])) <= 1
    print(f"{len(kernels)} kernels; in {near} the lanes per instruction and those per access are within one lane.")


def main():
    arguments = sys.argv[1:]
    paths = [pathlib.Path(argument) for argument in arguments[1:]]
    if len(arguments) == 3 and arguments[0] in ("gpu", "simt"):
        (gpu if arguments[0] == "gpu" else simt)(*paths)
    elif len(arguments) == 4 and arguments[0] == "compare":
        compare(*paths)
    else:
        counters.fail("usage: costs.py gpu|simt BUILD TABLE.csv | costs.py compare GPU.csv SIMT.csv COSTS.csv")


main()
