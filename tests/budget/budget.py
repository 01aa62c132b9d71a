# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which launches are checked, what the report says of it, and that the choice is the same every time.

    budget.py CASE STEPS TEAMSAN DIRECTORY
"""

import json
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "reports"))
from programs import expect, run, target

case, steps, teamsan, folder = sys.argv[1], sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
MENDED = {"MENDED": "1"}
KERNELS = ("axpy", "heavy", "racy", "team", "seldom")


def report(name, *options, arguments=(), environment=(), status=66):
    """One run's JSON report, as text and as read, and what it printed."""
    file = folder / f"{name}.json"
    ended, _, output = run(steps, [target("json", file), *options], environment, arguments=arguments)
    expect(ended == status, f"{name} ended with status {ended}\n{output}")
    text = file.read_text()
    return text, json.loads(text), output


def kernels(read):
    return {one["kernel"]: one for one in read["program"]["kernel_launches"]}


def checked(read):
    """By kernel, which of its launches were checked."""
    return {name: [n for first, last in one["checked"] for n in range(first, last + 1)] for name, one in kernels(read).items()}


def ids(read):
    return [(one["rule"], one["kernel"]) for one in read["findings"]]


def same_on_any_number_of_workers(*options, arguments=()):
    first = report("one_worker", *options, "num_threads=1", arguments=arguments)
    for name, threads in (("three_workers", 3), ("again", 1)):
        expect(report(name, *options, f"num_threads={threads}", arguments=arguments)[0] == first[0],
               f"{options}: another report with {name}")
    return first[1], first[2]


def sample():
    read, output = same_on_any_number_of_workers("sample=1")
    of = checked(read)
    expect(of["racy"] == [*range(1, 9), 16, 32, 64, 128, 256], f"racy: {of['racy']}")
    # Behind step 301 a View has another size: a new shape.
    expect(of["axpy"] == [*range(1, 9), 16, 32, 64, 128, 256, 302, 303, 305, 309, 317, 333, 365], f"axpy: {of['axpy']}")
    expect(of["seldom"] == [1, 2, 3, 4], f"seldom: {of['seldom']}")
    expect(ids(read) == [("global-race", "racy")], f"{ids(read)}")
    program = read["program"]
    expect(program["chosen_by"] == "sample=1" and program["launches_checked"] < program["launches"] / 10, f"{program}")
    notes = [note for note in program["notes"] if note.startswith("sample=1:")]
    expect(len(notes) == 1 and "launches were checked" in notes[0] and "% of what all of them cost unchecked" in notes[0],
           f"{program['notes']}")
    expect(any('kernel "racy", RangePolicy: 400 launches, checked of them 1-8, 16, 32, 64, 128, 256' in note
               for note in program["notes"]), f"{program['notes']}")
    expect(f"{program['launches_checked']} of 1,6" in output, output)
    expect("--kernel-name racy --launch-count 1" in read["findings"][0]["rerun"], read["findings"][0]["rerun"])


def budget():
    whole = report("whole")[1]
    read, _ = same_on_any_number_of_workers("budget=2x")
    of, costs = checked(read), kernels(read)
    for name in KERNELS:
        expect(of[name][:1] == [1], f"the first launch of {name} is not checked: {of[name]}")
        expect(len(of[name]) < costs[name]["launches"], f"all launches of {name} are checked")
    # Those that are launched often get what they bring, and where much is found, which takes long, less often.
    expect(len(of["racy"]) >= 2 and len(of["team"]) >= 10, f"{of}")
    expect(ids(read) == ids(whole) == [("global-race", "racy")], f"{ids(read)} were {ids(whole)}")
    more = checked(report("more", "budget=4x")[1])
    expect(all(len(more[name]) >= len(of[name]) for name in KERNELS) and len(more["racy"]) > len(of["racy"]), f"{more} {of}")
    # A share of the plain cost that a program of one kernel would give away: no more than the budget, the first ones apart.
    share = sum(one["plain_cost_checked"] for one in costs.values()) / sum(one["plain_cost"] for one in costs.values())
    expect(0.02 < share < 0.6, f"{share} of the plain cost is checked")
    expect(costs["heavy"]["accesses"] > 90 * costs["heavy"]["lanes"], f"{costs['heavy']}")


def time():
    _, read, _ = report("time", "budget=1h")
    expect(checked(read)["racy"] == [*range(1, 401)], f"{checked(read)}")
    _, read, _ = report("little", "budget=1s")
    expect(all(checked(read)[name][:1] == [1] for name in KERNELS), f"{checked(read)}")
    text, again, _ = report("again", f'launches_of="{folder / "little.json"}"')
    expect(checked(again) == checked(read), f"{checked(again)} were {checked(read)}")


def launches_of():
    _, first, _ = report("first", "budget=1.5x")
    name = f'launches_of="{folder / "first.json"}"'
    read, _ = same_on_any_number_of_workers(name)
    expect(checked(read) == checked(first), f"{checked(read)} were {checked(first)}")
    expect(read["findings"] == first["findings"], f"{read['findings']} were {first['findings']}")


def uninitialised():
    _, read, _ = report("sampled", "sample=1", arguments=["unseen"])
    expect(checked(read)["write"] == [*range(1, 9)] and checked(read)["read late"] == [*range(1, 5)], f"{checked(read)}")
    expect(ids(read) == [("uninit-global", "forget")], f"{ids(read)}")
    expect(any("uninit-global was silent about all that was allocated before them" in note for note in read["program"]["notes"]),
           f"{read['program']['notes']}")


def baseline():
    report("known")
    options = (f'baseline="{folder / "known.json"}"',)
    fixed = lambda read: [one["kernel"] for one in read["program"]["fixed"]]
    not_judged = lambda read: [note for note in read["program"]["notes"] if note.startswith("not judged: 1 finding of ")]
    # The race is mended: a run of all launches can say so, one of some cannot.
    _, read, _ = report("all", *options, environment=MENDED, status=0)
    expect(fixed(read) == ["racy"] and not not_judged(read), f"{read['program']}")
    _, read, _ = report("some", *options, "budget=2x", environment=MENDED, status=0)
    expect(fixed(read) == [] and not_judged(read), f"{read['program']}")
    _, read, _ = report("others", *options, "kernel_name=axpy", environment=MENDED, status=0)
    expect(fixed(read) == [] and not_judged(read), f"{read['program']}")
    _, read, _ = report("racy", *options, "kernel_name=racy", environment=MENDED, status=0)
    expect(fixed(read) == ["racy"] and not not_judged(read), f"{read['program']}")
    # And a baseline of a run of some holds in one of all.
    report("sampled", "sample=1")
    _, read, _ = report("later", f'baseline="{folder / "sampled.json"}"', status=0)
    expect(not read["findings"] and fixed(read) == [], f"{read['findings']}")


def shards():
    _, whole, _ = report("whole")
    parts = []
    for part in range(1, 9):
        _, read, _ = report(f"part{part}", f"shard={part}/8", f'by="{folder / "whole.json"}"',
                            status=66)
        parts.append(read)
    for name, all_launches in checked(whole).items():
        dealt = sorted(n for read in parts for n in checked(read)[name])
        expect(dealt == all_launches, f"{name}: {dealt}")
    # Equal times, as costs are counted: what is checked, and the rest plain.
    loads = [sum(one["plain_cost_checked"] for one in kernels(read).values()) for read in parts]
    expect(max(loads) <= 1.1 * sum(loads) / 8, f"{loads}")
    joined = folder / "joined.json"
    merge = subprocess.run([teamsan, "merge", "--report", f"json={joined}", *(str(folder / f"part{n}.json") for n in range(1, 9))],
                           capture_output=True, text=True, check=False)
    expect(merge.returncode == 66, f"{merge}")
    read = json.loads(joined.read_text())
    expect(checked(read) == checked(whole), f"{checked(read)}")
    expect(read["program"]["launches_checked"] == read["program"]["launches"] == whole["program"]["launches"], f"{read['program']}")
    # The functor's race in each launch is found in each, as by one run.
    for field in ("rule", "kernel", "launches", "id", "count_is_lower_bound"):
        expect([one[field] for one in read["findings"]] == [one[field] for one in whole["findings"]], f"{field}: {read['findings']}")


def mistakes():
    for options, sentence in ((["budget=2"], "budget=2 is not understood; budget takes how many times"),
                              (["budget=0.5x"], "budget=0.5x is not understood"),
                              (["budget=2x", "launches_of=x.json"], "launches_of and budget do not go together"),
                              (["by=x.json"], "by is for shard"),
                              (["launches_of=x.json"], 'launches_of: cannot read "x.json"'),
                              ([f'launches_of="{steps}"'], "launches_of: ")):
        status, _, output = run(steps, options, folder=folder)
        expect(status == 2 and sentence in output, f"{options}: status {status}\n{output}")


globals()[case]()
print(f"{case}: as it should be")
