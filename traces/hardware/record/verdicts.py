#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compute-sanitizer's four tools find in the programs that have an error, for the table beside TeamSan's findings.

  verdicts.py GPU_BUILD TEAMSAN_BUILD VERDICTS.csv [PROGRAM...]
  verdicts.py --right GPU_BUILD RIGHT.csv [PROGRAM...]      what the tools say of those that have none

GPU_BUILD: the build folder of bench/hardware with the target bad_kernels; TEAMSAN_BUILD: TeamSan's own, with its tests.
Each program runs by itself, then under memcheck, racecheck, initcheck and synccheck, each for 20 s at most; then TeamSan's
build of it. A cell of a tool: "found N" (N errors), "nothing", "timeout", or "status N" if the program or the tool ended
otherwise. `expected` are the rules in the source's EXPECT comments, `teamsan` those of which TeamSan found something here.
Prints Markdown, a sentence first. --right: of the tests' right kernels (target good_kernels) there is nothing to find; what
TeamSan says of them is what the tests are for.
"""
import concurrent.futures
import csv
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
FOUND = 86  # exit status of a tool that found something
SECONDS = 20
# These ask for more memory than a card has, or for all of the host's; the last two do nothing with a Kokkos before 5.2.
LEFT_OUT = {"kernel_limit_usm_pinned_memory", "kernel_limit_usm_more_than_the_device", "kernel_limit_usm_device_memory",
            "kernel_missing-fence_graph_branches_with_host_nodes", "kernel_missing-fence_graph_branches_with_host_nodes_fixed"}


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


def right_programs():
    """{program: source}."""
    kernels = ROOT / "tests" / "kernels"
    return {f"kernel_{source.parent.name}_{source.stem}": source
            for source in sorted([*kernels.glob("*/*_fixed.cpp"), *kernels.glob("silent/*.cpp")])}


def ended(command, environment=None, seconds=SECONDS):
    """(status or None after a timeout, output)"""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, env=environment)
    try:
        output, _ = child.communicate(timeout=seconds)
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


def by_teamsan(build, name, source):
    """The rules of which TeamSan finds something, as the tests run the program (the comments of tests/expect)."""
    programs = [path for path in (build / "tests" / "kernels" / name, build / "examples" / name) if path.exists()]
    if not programs:
        return "not built"
    text = source.read_text()
    options = re.findall(r"^// OPTIONS: (.*)$", text, re.MULTILINE)
    arguments = " ".join(re.findall(r"^// ARGUMENTS: (.*)$", text, re.MULTILINE)).split()
    with tempfile.TemporaryDirectory() as directory:
        lines = pathlib.Path(directory) / "lines"
        environment = dict(os.environ, OMP_NUM_THREADS="2", TEAMSAN_OPTIONS=":".join([f"report=tsv={lines}", *options]))
        status, _ = ended([str(programs[0]), *arguments], environment, 120)
        rules = sorted({line.split("\t")[0] for line in lines.read_text().splitlines()}) if lines.exists() else []
    if status is None:
        return "timeout"
    return "found " + " ".join(rules) if rules else f"status {status}"


def group(name):
    """The folder of the source: the rule it is about, or "pitfalls"."""
    return name.split("_")[1] if name.startswith("kernel_") else "pitfalls"


def report(rows):
    """Prints how many programs of each rule each tool finds."""
    ran = [row for row in rows if row[2] not in ("left out", "not built")]
    counts = {rule: [0] * 7 for rule in sorted({group(row[0]) for row in ran}, key=lambda rule: (rule == "pitfalls", rule))}
    for row in ran:
        found = [cell.startswith("found") for cell in row[3:]]
        for position, one in enumerate([True, *found[:4], any(found[:4]), found[4]]):
            counts[group(row[0])][position] += one
    total = [sum(column) for column in zip(*counts.values())] or [0] * 7
    expected = sum(row[-1] == "found " + row[1] for row in ran)
    print(f"{total[0]} programs that have an error: compute-sanitizer's four tools find it in {total[5]} (memcheck {total[1]}, racecheck "
          f"{total[2]}, initcheck {total[3]}, synccheck {total[4]}), TeamSan in {total[6]}, in {expected} exactly the rules that the "
          "source names.\n")
    print("| rule | programs | memcheck | racecheck | initcheck | synccheck | any of the four | TeamSan |\n" + "|---" * 8 + "|")
    for rule, line in [*counts.items(), ("all", total)]:
        print(f"| {rule} | " + " | ".join(map(str, line)) + " |")
    for reason in ("not built", "left out"):
        names = [row[0] for row in rows if row[2] == reason]
        if names:
            print(f"\n{reason.capitalize()}" + (" (LEFT_OUT says why)" if reason == "left out" else
                                              " for the GPU") + f": {', '.join(names)}.")
    slow = [row[0] for row in ran if "timeout" in row[2:7]]
    if slow:
        print(f"\nEnded after {SECONDS} s, alone or under a tool: {', '.join(slow)}.")


def report_right(rows):
    """Prints which right programs a tool accuses, and which do not end well by themselves."""
    ran = [row for row in rows if row[1] not in ("left out", "not built")]
    accused = {row[0]: ", ".join(f"{tool}: {cell}" for tool, cell in zip(TOOLS, row[2:]) if cell != "nothing")
               for row in ran if row[2:] != ["nothing"] * 4}
    failed = {row[0]: row[1] for row in ran if row[1] != "status 0"}
    print(f"{len(ran)} right programs: compute-sanitizer's four tools say nothing of {len(ran) - len(accused)}.\n")
    for name, what in accused.items():
        print(f"- {name}: {what}")
    print(f"\n{len(failed)} do not end with 0 by themselves: {failed}")


def main():
    right = "--right" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--right"]
    if len(arguments) < (2 if right else 3):
        fail("usage: verdicts.py GPU_BUILD TEAMSAN_BUILD VERDICTS.csv [PROGRAM...] | verdicts.py --right GPU_BUILD RIGHT.csv [PROGRAM...]")
    build, checked, table, *wanted = [pathlib.Path(arguments[0]), *([None] if right else [pathlib.Path(arguments[1])]),
                                      pathlib.Path(arguments[1 if right else 2]), *arguments[2 if right else 3:]]
    sources = {name: source for name, source in (right_programs() if right else bad_programs()).items()
               if name in wanted or not wanted}

    def one(name):
        expected = sorted({rule for rules in re.findall(r"// EXPECT(?:-ANYWHERE)?: ([a-z? -]+)", sources[name].read_text())
                           for rule in rules.split() if not rule.endswith("?")})
        row = [name] if right else [name, " ".join(expected)]
        program = build / name
        if name in LEFT_OUT:
            row += ["left out"] * 5
        elif not program.exists():
            row += ["not built"] * 5
        else:
            status, _ = ended([str(program)])
            row += ["timeout" if status is None else f"status {status}"] + [verdict(tool, program) for tool in TOOLS]
        return row if right else row + [by_teamsan(checked, name, sources[name])]

    def write(rows):
        with table.open("w", newline="") as file:
            head = ["program", "alone", *TOOLS] if right else ["program", "expected", "alone", *TOOLS, "teamsan"]
            csv.writer(file, lineterminator="\n").writerows([head, *sorted(rows)])

    rows = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=min(14, os.cpu_count() or 1)) as pool:
        for done in concurrent.futures.as_completed([pool.submit(one, name) for name in sources]):
            rows.append(done.result())
            write(rows)  # what is known so far outlasts an end from outside
    (report_right if right else report)(sorted(rows))


main()
