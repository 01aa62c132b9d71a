#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ThreadSanitizer says of tests/kernels on Kokkos::OpenMP, beside their fixed twins.

    bench/tsan/verdicts.py BUILD [CSV]     BUILD: configured with Clang, teamsan-tsan-kernels built as far as it compiles
    bench/tsan/verdicts.py --summary CSV

Each program runs once with 64 threads, the most that Kokkos::OpenMP lets a team have there, and is ended after 40 s. A line of
the CSV is a wrong kernel: rule, kernel, verdict, verdict of its fixed twin. Verdicts: found (a warning), silent, refused (Kokkos:
the team is too large, a feature is missing), crash (a signal), late (40 s), none (it does not compile).
"""
import csv
import os
import pathlib
import signal
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 40


def verdict(program):
    if not program.exists():
        return "none"
    environment = dict(os.environ, OMP_NUM_THREADS="64", OMP_PROC_BIND="false", OMP_WAIT_POLICY="passive",
                       TSAN_OPTIONS="ignore_noninstrumented_modules=1:exitcode=66")
    child = subprocess.Popen([program], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             errors="replace", start_new_session=True)
    late = False
    try:
        output, _ = child.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        late = True
        os.killpg(child.pid, signal.SIGKILL)  # what it started, too
        output, _ = child.communicate()
    if "WARNING: ThreadSanitizer" in output:
        return "found"
    if late:
        return "late"
    if child.returncode == 0:
        return "silent"
    return "refused" if "what():" in output or "Kokkos" in output and "ERROR" in output else "crash"


def measure(build, path):
    with open(path, "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["rule", "kernel", "wrong", "fixed"])
        for source in sorted((SOURCE / "tests/kernels").glob("*/*_fixed.cpp")):
            rule, case = source.parent.name, source.stem.removesuffix("_fixed")
            programs = build / "bench/tsan"
            rows.writerow([rule, case, verdict(programs / f"tsan_kernel_{rule}_{case}"),
                           verdict(programs / f"tsan_kernel_{rule}_{case}_fixed")])
            file.flush()


def summary(path):
    by_rule = {}
    for row in csv.DictReader(open(path)):
        count = by_rule.setdefault(row["rule"], [0, 0, 0, 0])
        count[0] += 1
        count[1] += row["wrong"] == "found"
        count[2] += row["fixed"] == "found"
        count[3] += row["wrong"] == "found" and row["fixed"] == "silent"
    by_rule["all"] = [sum(counts) for counts in zip(*by_rule.values())]
    print("| rule | wrong kernels | found | its fixed twin, too | told apart |\n|---|---|---|---|---|")
    for rule, counts in by_rule.items():
        if counts[1] or counts[2]:
            print(f"| {rule} |", " | ".join(str(count) for count in counts), "|")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--summary":
        summary(sys.argv[2])
    elif len(sys.argv) in (2, 3) and not sys.argv[1].startswith("-"):
        measure(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) == 3 else SOURCE / "bench/tsan/verdicts.csv")
    else:
        sys.exit(__doc__)
