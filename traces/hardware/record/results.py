#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples and the tests' good kernels of one build and keeps what they leave in memory; compares such runs.

  results.py run gpu|host|simt BUILD RUN [OTHER_RUN]
  results.py compare GPU_RUN HOST_RUN SIMT_RUN RESULTS.csv

BUILD: for gpu, the build folder of bench/hardware with the targets examples and good_kernels; for host and simt,
TeamSan's own with its tests and the target teamsan-native-kernels. RUN: a folder that gets, for each program, its exit
status and output, the contents of its allocations (bench/hardware/tools/snapshots.cpp), and its checkpoints. Needs a C++
compiler. With OTHER_RUN, only programs that were built there are run. compare prints Markdown, a sentence first, and ends
with 1 if there is a difference that ../explained.csv does not explain.
"""
import collections
import concurrent.futures
import csv
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parents[2] / "bench" / "hardware" / "tools"
KERNELS = HERE.parents[2] / "tests" / "kernels"
EXAMPLES = ["pitfall_neighbour_exchange_fixed", "pitfall_shared_counter_fixed", "pitfall_thread0_scratch_fixed",
            "pitfall_scratch_limit_fixed", "diffusion", "consumer", "material", "usm_explicit_copy", "usm_shared",
            "example_launch_sized", "example_workgroup_variables", "example_warp_store", "example_warp_costs"]
SECONDS = 60
TEAM = 64  # threads of the host's pool; Kokkos::OpenMP has no larger team


def fail(sentence):
    sys.exit("results.py: " + sentence)


def good_kernels():
    """{program: source} of the tests' kernels that are right."""
    sources = sorted(KERNELS.glob("*/*_fixed.cpp")) + sorted(KERNELS.glob("silent/*.cpp"))
    return {f"kernel_{source.parent.name}_{source.stem}": source for source in sources}


def executables(build, kind):
    """{program: path}, under the names of bench/hardware."""
    found = {}
    for path in sorted(build.rglob("*")):
        if not path.is_file() or not os.access(path, os.X_OK) or path.suffix or "CMakeFiles" in path.parts:
            continue
        name = path.name
        checked = name.endswith("_teamsan")
        name = name.removesuffix("_teamsan")
        if kind == "simt" and name.startswith("native_"):
            continue
        # Those of one build alone, which is checked.
        if kind == "host" and (checked or re.match("kernel_|pitfall_|example_warp_costs", name)):
            continue
        if name.startswith(("native_kernel_", "native_example_")):
            name = name.removeprefix("native_")
        elif name.startswith("native_"):
            name = "pitfall_" + name.removeprefix("native_")
        if name == "app":
            name = "consumer"
        if name not in found or checked:
            found[name] = path
    return found


def statuses_of(run_of):
    with (run_of / "status.csv").open(newline="") as file:
        return {row["program"]: row["status"] for row in csv.DictReader(file)}


def run(kind, build, out, other=None):
    programs = executables(build, kind)
    wanted = dict.fromkeys(EXAMPLES) | good_kernels()
    if other:
        wanted = {name: wanted[name] for name, status in statuses_of(other).items() if status != "not built"}
    out.mkdir(parents=True, exist_ok=True)
    library = out / "libsnapshots.so"
    built = subprocess.run(["c++", "-std=c++20", "-O2", "-shared", "-fPIC", str(TOOLS / "snapshots.cpp"), "-o", str(library),
                            "-ldl"])
    if built.returncode != 0:
        fail("snapshots.cpp could not be compiled")
    increments = out / "increments.csv"
    if "material_generate" in programs:
        subprocess.run([str(programs["material_generate"]), str(increments), "10000"], check=True, stdout=subprocess.DEVNULL)

    def one(name):
        if name not in programs:
            return name, "not built"
        environment = dict(os.environ, KOKKOS_TOOLS_LIBS=str(library.resolve()), OMP_NUM_THREADS=str(TEAM if kind == "host" else 2),
                           OMP_PROC_BIND="false", TEAMSAN_SNAPSHOTS=str(out / (name + ".snapshots")),
                           TEAMSAN_CHECKPOINTS=str(out / (name + ".checkpoints")))
        options = re.search(r"^// OPTIONS: (.*)$", wanted[name].read_text(), re.MULTILINE) if wanted[name] else None
        if options:
            environment["TEAMSAN_OPTIONS"] = options.group(1)
        arguments = [str(increments)] if name == "material" else []
        try:
            done = subprocess.run([str(programs[name].absolute())] + arguments, env=environment, cwd=out, timeout=SECONDS,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return name, f"did not end within {SECONDS} s"
        (out / (name + ".out")).write_bytes(done.stdout)
        if done.returncode != 0:
            (out / (name + ".err")).write_bytes(done.stderr)
            if b"Requested too large team size" in done.stderr:
                return name, "refused: team size"
        return name, str(done.returncode)

    with concurrent.futures.ThreadPoolExecutor(max_workers=1 if kind == "host" else min(8, os.cpu_count() or 1)) as pool:
        statuses = list(pool.map(one, wanted))
    with (out / "status.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("program", "status"), *statuses])
    print(f"results.py: {kind}: {len(statuses)} programs,", dict(collections.Counter(status for _, status in statuses)))


def snapshots(run_of, name):
    """{(label, occurrence): bytes} of the memory that kernels work on."""
    path = run_of / (name + ".snapshots")
    found, seen = {}, collections.Counter()
    if path.exists():
        for line in path.read_text(errors="replace").splitlines():
            fields = line.split("\t")
            if len(fields) != 4:
                continue
            space, label, size, digits = fields
            if label.endswith("_mirror"):
                continue
            key = (space == "Host", label)
            found[(space, label, seen[key])] = bytes.fromhex(digits)
            seen[key] += 1
    return found


def how_alike(a, b):
    """'bits', 'rounding (...)', 'order' (the same words elsewhere: another layout), or '' for two allocations."""
    if a == b:
        return "bits"
    if len(a) != len(b):
        return ""
    for form, size, tolerance, smallest in (("d", 8, 1e-12, 1e-300), ("f", 4, 1e-5, 1e-37)):
        if len(a) % size:
            continue
        x, y = struct.unpack(f"<{len(a) // size}{form}", a), struct.unpack(f"<{len(a) // size}{form}", b)
        # Not the tiny numbers that integers and pointers look like.
        plain = all(v == 0 or smallest < abs(v) < 1e30 for v in x + y)
        # Differences where large numbers cancel are held against the largest of the array.
        largest = max(map(abs, x + y))
        if plain and largest > 0 and all(abs(p - q) <= tolerance * largest for p, q in zip(x, y)):
            return f"rounding ({max(abs(p - q) for p, q in zip(x, y)) / largest:.1e} of the largest)"
    for size in (8, 4, 1):
        if len(a) % size == 0:
            words = [sorted(data[i:i + size] for i in range(0, len(data), size)) for data in (a, b)]
            if words[0] == words[1]:
                return "order"
    return ""


def compare_two(run_a, run_b, name, device_a, device_b):
    """(number of allocations compared, the worst that two were alike, labels of those that differ)."""
    a, b = snapshots(run_a, name), snapshots(run_b, name)

    def keyed(all_of, on_device):
        # The memory of kernels: a device's spaces, or the host's where kernels run there.
        return {(label, n): data for (space, label, n), data in all_of.items() if not on_device or space != "Host"}

    a, b = keyed(a, device_a), keyed(b, device_b)
    common = sorted(set(a) & set(b))
    kinds, differ = [], []
    for key in common:
        kind = how_alike(a[key], b[key])
        kinds.append(kind)
        if not kind:
            differ.append(f"{key[0]}#{key[1]}")
    order = ["bits", "order", "rounding"]
    worst = max((kind for kind in kinds if kind), key=lambda kind: order.index(kind.split()[0]), default="nothing to compare")
    return len(common), "different" if differ else worst, differ


def compare(gpu, host, simt, table):
    with (HERE.parent / "explained.csv").open(newline="") as file:
        reasons = {row["program"]: row["reason"] for row in csv.DictReader(file)}
    status = [statuses_of(folder) for folder in (gpu, host, simt)]
    rows, wrong, absent = [], [], []
    for name in status[0]:
        statuses = [one.get(name, "not built") for one in status]
        if statuses[0] == "not built":
            absent.append(name)
            continue
        count, alike, differ = compare_two(gpu, simt, name, True, True)
        host_count, host_alike, host_differ = compare_two(gpu, host, name, True, False)
        if statuses[1] != "0":
            host_count, host_alike, host_differ = 0, "no run on the host", []
        reason = reasons.get(name, "")
        rows.append([name, *statuses, count, alike, host_count, host_alike, " ".join(differ or host_differ), reason])
        if (statuses[0] != "0" or statuses[2] not in ("0", "not built") or "different" in (alike, host_alike)) and not reason:
            wrong.append(name)
    with table.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["program", "status_gpu", "status_host", "status_simt", "views_gpu_simt", "gpu_simt", "views_gpu_host",
                         "gpu_host", "differing_views", "reason"])
        writer.writerows(rows)
    report(rows, wrong, absent)
    return 1 if wrong else 0


def report(rows, wrong, absent):
    """Prints the rows of RESULTS.csv as Markdown: a sentence, how many are how alike, and those that are not."""
    kinds = [collections.Counter(row[column].split(" (")[0] for row in rows) for column in (5, 7)]
    examples = sum(not row[0].startswith("kernel_") for row in rows)
    print(f"{len(rows)} programs ({examples} examples, {len(rows) - examples} kernels of the tests) ran on the GPU. What lay in their "
          f"allocations is the same bits on the GPU and on the simulated GPU in {kinds[0]['bits']}, the same to rounding in "
          f"{kinds[0]['rounding']}, different in {kinds[0]['different']}; "
          + (f"not explained of those that differ or fail: {len(wrong)}." if wrong else "each that differs or fails is explained.")
          + "\n\n| what both leave in their allocations | GPU and simulated GPU | GPU and the host's threads |\n|---|---|---|")
    for kind, text in (("bits", "the same bits"), ("rounding", "the same to rounding"),
                       ("order", "the same words elsewhere (another layout of the Views)"),
                       ("nothing to compare", "no allocation that Kokkos names on both"),
                       ("no run on the host", "did not run on the host"), ("different", "different")):
        print(f"| {text} | {kinds[0][kind]} | {kinds[1][kind]} |")
    if absent and any(row[0].startswith("kernel_") for row in rows):
        print(f"\n{len(absent)} programs are not built for the GPU: {', '.join(absent)}.")
    missing = [collections.Counter(row[column] for row in rows) for column in (2, 3)]
    if missing[0]["not built"]:
        print(f"\n{missing[0]['not built']} programs are not built for the host: `cmake --build BUILD --target "
              "teamsan-native-kernels`, and the tests for the consumer.")
    if missing[1]["not built"]:
        print(f"\n{missing[1]['not built']} programs are not built for the simulated GPU: BUILD needs the tests.")
    unlike = [row for row in rows if row[0] in wrong or row[9] and ("different" in row or {*row[1:4]} - {"0", "not built"})]
    if unlike:
        print("\nThose that differ or fail on one side (statuses: GPU, host, simulated GPU; the reasons are people's):\n\n"
              "| program | statuses | simulated GPU | host | allocations | why |\n|---|---|---|---|---|---|")
    for name, of_gpu, of_host, of_simt, _, alike, _, host_alike, differ, reason in unlike:
        labels = differ.replace("|", "\\|")
        print(f"| {name} | {of_gpu}, {of_host}, {of_simt} | {alike} | {host_alike} | {labels} | {reason or '**not explained**'} |")


def main():
    arguments = sys.argv[1:]
    if len(arguments) in (4, 5) and arguments[0] == "run" and arguments[1] in ("gpu", "host", "simt"):
        run(arguments[1], *map(pathlib.Path, arguments[2:]))
    elif len(arguments) == 5 and arguments[0] == "compare":
        sys.exit(compare(*map(pathlib.Path, arguments[1:])))
    else:
        fail("usage: results.py run gpu|host|simt BUILD RUN [OTHER_RUN] | results.py compare GPU_RUN HOST_RUN SIMT_RUN RESULTS.csv")


main()
