#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seconds to a verdict: compute-sanitizer's racecheck on the GPU, TeamSan on two CPU cores.

  times.py GPU_BUILD TEAMSAN_BUILD TIMES.csv [REPETITIONS]

GPU_BUILD: bench/hardware with the target measured; TEAMSAN_BUILD: TeamSan's, with the target teamsan-bench. Each line is a
whole run of a program that is right, from start to exit, the median of the repetitions (3), with the fastest and the
slowest. The three take turns. TeamSan makes all its checks; racecheck looks for hazards in shared memory alone. Prints
Markdown, a sentence first.
"""
import csv
import os
import pathlib
import statistics
import subprocess
import sys
import time

CASES = [("matmul", 256), ("matmul", 512), ("matmul", 1024), ("tree_reduction", 1 << 20)]


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit("times.py: usage: times.py GPU_BUILD TEAMSAN_BUILD TIMES.csv [REPETITIONS]")
    gpu, checked, table = (pathlib.Path(argument) for argument in sys.argv[1:4])
    repetitions = int(sys.argv[4]) if len(sys.argv) == 5 else 3
    two = sorted(os.sched_getaffinity(0))[:2]
    ways = {"gpu": ([str(gpu / "counted")], None),
            "racecheck": (["compute-sanitizer", "--tool", "racecheck", str(gpu / "counted")], None),
            "teamsan_2_cores": ([str(checked / "bench" / "bench_counted")], lambda: os.sched_setaffinity(0, two))}
    rows = []
    for kernel, size in CASES:
        seconds = {way: [] for way in ways}
        for _ in range(repetitions):
            for way, (command, before) in ways.items():
                begin = time.monotonic()
                done = subprocess.run([*command, kernel, str(size)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      preexec_fn=before, env=dict(os.environ, OMP_NUM_THREADS="2", OMP_PROC_BIND="false"))
                if done.returncode != 0:
                    sys.exit(f"times.py: {way} ended with {done.returncode} on {kernel} {size}: "
                             + done.stdout.decode(errors="replace")[-500:])
                seconds[way].append(time.monotonic() - begin)
        for way, times in seconds.items():
            rows.append([kernel, size, way, f"{statistics.median(times):.2f}", f"{min(times):.2f}", f"{max(times):.2f}"])
        with table.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(
                [["kernel", "size", "way", "median_seconds", "fastest", "slowest"], *rows])
    median = {(row[0], row[1], row[2]): row[3] for row in rows}
    print("Seconds to a verdict, racecheck on the GPU and TeamSan on two CPU cores: " + "; ".join(
        f"{kernel} {size} {median[kernel, size, 'racecheck']} and {median[kernel, size, 'teamsan_2_cores']}" for kernel, size in CASES)
        + ".\n\n| kernel | size | alone on the GPU | racecheck on the GPU | TeamSan, two cores |\n|---|---|---|---|---|")
    for kernel, size in CASES:
        print(f"| {kernel} | {size} | " + " | ".join(
            f"{row[3]} ({row[4]} to {row[5]})" for row in rows if (row[0], row[1]) == (kernel, size)) + " |")


main()
