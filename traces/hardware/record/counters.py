#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel totals of a chip's counters beside those of the simulator.

  counters.py gpu BUILD GPU.csv [PROGRAM...]      under Nsight Compute; all of PROGRAMS below, or these
  counters.py simt BUILD SIMT.csv [PROGRAM...]    the same programs on the simulated GPU
  counters.py compare GPU.csv SIMT.csv COUNTERS.csv

BUILD: for gpu, the build folder of bench/hardware with the targets measured, examples, good_kernels and bad_kernels (or as
many of them as there are); for simt, TeamSan's own with its tests and the target teamsan-bench. Kernels are told apart by
program and Kokkos label; launches of one label are added up. Needs ncu, a C++ compiler and the CUDA toolkit's NVTX header
(gpu). compare prints Markdown, a sentence first.
"""
import collections
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parents[2] / "bench" / "hardware" / "tools"
NAME = pathlib.Path(sys.argv[0]).name
PROGRAMS = ["counted", "kokkos_own", "costs", "diffusion", "material", "usm_shared", "example_launch_sized", "example_workgroup_variables",
            "example_warp_store", "example_warp_costs", "pitfall_neighbour_exchange_fixed", "pitfall_shared_counter_fixed",
            "kernel_bank-conflict_tile_column", "kernel_bank-conflict_tile_column_fixed",
            "kernel_bank-conflict_workgroup_stride", "kernel_bank-conflict_workgroup_stride_fixed",
            "kernel_uncoalesced_array_of_structs", "kernel_uncoalesced_array_of_structs_fixed",
            "kernel_uncoalesced_row_per_lane", "kernel_uncoalesced_row_per_lane_fixed", "kernel_global-race_histogram_fixed",
            "kernel_silent_transpose", "kernel_silent_tiled_matmul", "kernel_silent_warp_transpose"]

# Column: the counters that add up to it, and what the JSON report calls it.
COLUMNS = {}
for kind, ops, traffic in (("loads", ("ld",), "scratch_loads"), ("stores", ("st",), "scratch_stores"),
                           ("atomics", ("atom",), "scratch_atomics")):
    COLUMNS[f"shared_{kind}"] = ([f"smsp__inst_executed_op_shared_{op}.sum" for op in ops], (traffic, "requests"))
    COLUMNS[f"shared_{kind}_wavefronts"] = (
        [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum" for op in ops], (traffic, "wavefronts"))
    COLUMNS[f"shared_{kind}_conflicts"] = (
        [f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{op}.sum" for op in ops], (traffic, "conflicts"))
for kind, ops, traffic in (("loads", ("ld",), "global_loads"), ("stores", ("st",), "global_stores"),
                           ("atomics", ("red", "atom"), "global_atomics")):
    for what in ("requests", "sectors"):
        COLUMNS[f"global_{kind}_{what}"] = ([f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum" for op in ops],
                                            (traffic, what))


def fail(sentence):
    sys.exit(f"{NAME}: {sentence}")


def found(build, name):
    for path in sorted(build.rglob("*")):
        if path.name in (name + "_teamsan", "bench_" + name) and os.access(path, os.X_OK) and path.is_file():
            return path
    for path in sorted(build.rglob(name)):
        if os.access(path, os.X_OK) and path.is_file():
            return path
    return None


def arguments_of(name, build, work):
    if name != "material":
        return []
    generate, increments = found(build, "material_generate"), work / "increments.csv"
    if generate is None:
        return None
    if not increments.exists():
        subprocess.run([str(generate), str(increments), "10000"], check=True, stdout=subprocess.DEVNULL)
    return [str(increments)]


def write(table, totals):
    with table.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["program", "kernel", "launches", *COLUMNS])
        for (program, kernel), row in totals.items():
            writer.writerow([program, kernel, row["launches"], *(row[column] for column in COLUMNS)])


def profiled(build, programs, metrics):
    """(program, kernel, {metric: value}) of each launch under Nsight Compute; None for a program that is done."""
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        include = ["-I", os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")]
        library = work / "liblabels.so"
        if subprocess.run(["c++", "-std=c++20", "-O2", "-shared", "-fPIC", *include, str(TOOLS / "labels.cpp"), "-o",
                           str(library), "-ldl"]).returncode != 0:
            fail("labels.cpp could not be compiled")
        for name in programs:
            program = found(build, name)
            arguments = program and arguments_of(name, build, work)
            if program is None or arguments is None:
                print(f"{NAME}: {name} is not built")
                continue
            log = work / "ncu.csv"
            ran = subprocess.run(["ncu", "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--nvtx",
                                  "--print-nvtx-rename", "kernel", "--metrics", ",".join(metrics), "--log-file", str(log),
                                  str(program.absolute()), *arguments],
                                 env=dict(os.environ, KOKKOS_TOOLS_LIBS=str(library), OMP_NUM_THREADS="2",
                                          OMP_PROC_BIND="false"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if ran.returncode != 0 or not log.exists():
                print(f"{NAME}: ncu ended with {ran.returncode} on {name}")
                continue
            lines = [line for line in log.read_text(errors="replace").splitlines() if line.startswith('"')]
            for row in csv.DictReader(lines):
                if not row["ID"].isdigit():
                    continue
                # An NVTX range stands before the kernel's own name: "label/void Kokkos::Impl::...".
                label = re.split(r"/(?=void Kokkos::|Kokkos::)", row["Kernel Name"])[0]
                yield name, label, {metric: float((row.get(metric) or "0").replace(",", "")) for metric in metrics}
            yield None


def gpu(build, table, programs):
    totals = {}
    metrics = [metric for names, _ in COLUMNS.values() for metric in names]
    for launch in profiled(build, programs or PROGRAMS, metrics):
        if launch is None:
            write(table, totals)  # what is known so far outlasts an end from outside
            continue
        program, kernel, values = launch
        total = totals.setdefault((program, kernel), collections.Counter())
        total["launches"] += 1
        for column, (names, _) in COLUMNS.items():
            total[column] += sum(round(values[metric]) for metric in names)


def reports(build, programs):
    """(program, kernel's part of the JSON report) of each kernel, run on the simulated GPU."""
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        for name in programs:
            program = found(build, name)
            arguments = program and arguments_of(name, build, work)
            if program is None or arguments is None:
                print(f"{NAME}: {name} is not built")
                continue
            report = work / "report.json"
            report.unlink(missing_ok=True)
            subprocess.run([str(program), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env=dict(os.environ, OMP_NUM_THREADS="2", TEAMSAN_OPTIONS=f"check=all,perf report=json={report}"))
            if not report.exists():
                print(f"{NAME}: {name} left no report")
                continue
            for traffic in json.loads(report.read_text())["traffic"]:
                yield name, traffic


def simt(build, table, programs):
    totals = {}
    for name, traffic in reports(build, programs or PROGRAMS):
        total = totals.setdefault((name, traffic["kernel"]), collections.Counter())
        total["launches"] += traffic["launches"]
        for column, (_, (kind, what)) in COLUMNS.items():
            counts = traffic[kind]
            total[column] += (counts["wavefronts"] - counts["ideal_wavefronts"] if what == "conflicts"
                              else counts[what])
            if what == "requests" and kind in traffic["kokkos_own"]:
                total[column] += traffic["kokkos_own"][kind]["requests"]  # a chip counts both
    write(table, totals)


def compare(of_gpu, of_simt, table):
    def read(path):
        with path.open(newline="") as file:
            return {(row["program"], row["kernel"]): row for row in csv.DictReader(file)}

    chip, simulator = read(of_gpu), read(of_simt)
    same = collections.Counter()
    kernels, unlike = 0, set()
    with table.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["program", "kernel", "launches", "counter", "gpu", "simulator", "difference_percent"])
        for key in (key for key in chip if key in simulator):
            a, b = chip[key], simulator[key]
            kernels += 1
            for column in COLUMNS:
                x, y = int(a[column]), int(b[column])
                if x == 0 and y == 0:
                    continue
                same[(column, x == y)] += 1
                if x != y:
                    unlike.add(key)
                percent = "" if x == 0 else f"{100 * (y - x) / x:.1f}"
                writer.writerow([*key, a["launches"] if a["launches"] == b["launches"] else f"{a['launches']}/{b['launches']}",
                                 column, x, y, percent])
    alike = sum(count for (_, equal), count in same.items() if equal)
    whole = kernels - len(unlike)
    print(f"{kernels} kernels ran under Nsight Compute and on the simulated GPU: {alike} of their {sum(same.values())} totals are the same "
          f"number, {whole} kernels agree in all.\n\n| counter | kernels in which it is the same | in which not |\n|---|---|---|")
    for column in COLUMNS:
        if same[(column, True)] + same[(column, False)]:
            print(f"| {column} | {same[(column, True)]} | {same[(column, False)]} |")


def main():
    arguments = sys.argv[1:]
    if len(arguments) >= 3 and arguments[0] in ("gpu", "simt"):
        (gpu if arguments[0] == "gpu" else simt)(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]), arguments[3:])
    elif len(arguments) == 4 and arguments[0] == "compare":
        compare(*map(pathlib.Path, arguments[1:]))
    else:
        fail("usage: counters.py gpu|simt BUILD TABLE.csv | counters.py compare GPU.csv SIMT.csv COUNTERS.csv")


if __name__ == "__main__":
    main()
