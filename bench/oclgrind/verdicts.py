#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Oclgrind says of faults/*.cl, each with its fixed twin (-DFIXED): bench/oclgrind/verdicts.py

64 work-items in groups of 32, one buffer of 64 ints that are zero. A line a kernel: name, verdict, verdict of its twin, and the
kinds of what it said.
"""
import pathlib
import re
import subprocess
import tempfile

FAULTS = pathlib.Path(__file__).resolve().parent / "faults"


def run(kernel, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".sim") as simulation:
        simulation.write(f"{kernel}\nfault\n64 1 1\n32 1 1\n<size=256 fill=0>\n")
        simulation.flush()
        done = subprocess.run(["oclgrind-kernel", "--data-races", "--uninitialized", *options, simulation.name],
                              capture_output=True, text=True, timeout=60, check=False)
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return lines, done.returncode


def verdict(lines, status):
    return "found" if lines else "silent" if status == 0 else f"status {status}"


def kinds(lines):
    told = (re.search(r"data race|[Uu]ninitialized|Invalid (read|write)|divergence", line) for line in lines)
    return sorted({match.group().lower() for match in told if match})


def main():
    print("kernel,wrong,fixed,said")
    for kernel in sorted(FAULTS.glob("*.cl")):
        wrong, status = run(kernel)
        fixed, fixed_status = run(kernel, "--build-options", "-DFIXED")
        print(f"{kernel.stem},{verdict(wrong, status)},{verdict(fixed, fixed_status)},{'; '.join(kinds(wrong))}")


if __name__ == "__main__":
    main()
