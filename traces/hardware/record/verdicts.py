#!/usr/bin/env python3
"""What compute-sanitizer's four tools find in the programs that have an error, for the table beside TeamSan's findings.

  verdicts.py BUILD VERDICTS.csv [PROGRAM...]

BUILD: the build folder of bench/hardware with the target bad_kernels. Each program runs by itself, then under memcheck,
racecheck, initcheck and synccheck, each for 20 s at most. A cell of a tool: "found N" (N errors), "nothing", "timeout", or
"status N" if the program or the tool ended otherwise. `teamsan` is what the source expects (its EXPECT comments), which
the test suite holds TeamSan to.
"""
import collections
import concurrent.futures
import csv
import os
import pathlib
import re
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
FOUND = 86  # exit status of a tool that found something
SECONDS = 20
# These ask for more memory than a card has, or for all of the host's.
LEFT_OUT = {"kernel_limit_usm_pinned_memory", "kernel_limit_usm_more_than_the_device", "kernel_limit_usm_device_memory"}


def fail(sentence):
    sys.exit("verdicts.py: " + sentence)


def bad_programs():
    """{program: source}."""
    sources = {f"kernel_{source.parent.name}_{source.stem}": source
               for source in sorted((ROOT / "tests" / "kernels").glob("*/*.cpp"))
               if source.parent.name != "silent" and not source.stem.endswith("_fixed")}
    sources |= {f"pitfall_{source.stem}": source for source in sorted((ROOT / "examples" / "pitfalls").glob("*.cpp"))
                if not source.stem.endswith("_fixed")}
    return sources


def ended(command):
    """(status or None after a timeout, output)"""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output, _ = child.communicate(timeout=SECONDS)
        return child.returncode, output.decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)  # a tool's program too
        child.communicate()
        return None, ""


def verdict(tool, program):
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", str(FOUND)]
    if tool == "racecheck":
        command += ["--racecheck-report", "all"]
    if tool == "memcheck":
        command += ["--leak-check", "no"]
    status, output = ended(command + [str(program)])
    if status is None:
        return "timeout"
    count = re.search(r"(?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard)", output)
    number = int(count.group(1) or count.group(2)) if count else None
    if number:
        return f"found {number}"
    if number == 0:
        return "nothing"
    return f"status {status}"


def main():
    if len(sys.argv) < 3:
        fail("usage: verdicts.py BUILD VERDICTS.csv [PROGRAM...]")
    build, table = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    sources = {name: source for name, source in bad_programs().items() if name in sys.argv[3:] or len(sys.argv) == 3}

    def one(name):
        expected = sorted(set(re.findall(r"// EXPECT: ([a-z-]+)", sources[name].read_text())))
        row = [name, " ".join(expected) or sources[name].parent.name]
        program = build / name
        if name in LEFT_OUT:
            return row + ["left out"] * 5
        if not program.exists():
            return row + ["not built"] * 5
        status, _ = ended([str(program)])
        return row + ["timeout" if status is None else f"status {status}"] + [verdict(tool, program) for tool in TOOLS]

    def write(rows):
        with table.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([["program", "teamsan", "alone", *TOOLS], *sorted(rows)])

    rows = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=min(14, os.cpu_count() or 1)) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, name) for name in sources]):
            rows.append(done.result())
            write(rows)  # what is known so far outlasts an end from outside
    for position, tool in enumerate(TOOLS, 3):
        print(f"verdicts.py: {tool}:", dict(collections.Counter(row[position].split()[0] for row in rows)))


main()
