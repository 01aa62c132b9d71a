# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file .teamsan beside the program, or at the top of the git tree that it is started in.

    config.py DIRECTORY PROGRAM LAUNCHER       PROGRAM: examples/pitfalls/neighbour_exchange, which has one scratch-race
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

from programs import expect

folder, program, launcher = [pathlib.Path(word) for word in sys.argv[1:]]
shutil.rmtree(folder, ignore_errors=True)
(folder / "bin").mkdir(parents=True)
(folder / "tree/.git").mkdir(parents=True)
(folder / "tree/run").mkdir()
app = folder / "bin/app"
shutil.copy(program, app)
START = folder / "tree/run"


def run(*options, command=None, cwd=START):
    surroundings = {k: v for k, v in os.environ.items() if not k.startswith("TEAMSAN")}
    report = folder / "r.json"
    report.unlink(missing_ok=True)
    surroundings["TEAMSAN_OPTIONS"] = ":".join([f"report=json='{report}'", *options])
    done = subprocess.run(command or [app], env=surroundings, cwd=cwd, capture_output=True, text=True)
    return done.returncode, done.stderr, json.loads(report.read_text()) if report.exists() else None


def write(file, text):
    file.write_text(text)
    return file


status, said, report = run()
expect(status == 66 and "options come from" not in said, f"without a file: {status}\n{said}")

# At the top of the tree. It is named, with all that it says and all that it switches off.
top = write(folder / "tree/.teamsan", "# ours\nerror_exitcode=5\nkernel_name_exclude=other*  seed=9\n")
status, said, report = run()
expect(status == 5, f"the file's exit status: {status}\n{said}")
notes = [" ".join(note.split()) for note in report["program"]["notes"]]
expect(f"options come from {top}: error_exitcode=5, kernel_name_exclude=other*, seed=9 (config=0 passes over it)" in notes,
       f"the report's notes: {notes}")
status, said, report = run("error_exitcode=6")
expect(status == 6, f"TEAMSAN_OPTIONS win: {status}\n{said}")
status, said, report = run("config=0")
expect(status == 66 and "options come from" not in said, f"config=0: {status}\n{said}")
status, said, report = run(command=[launcher, "run", "--no-config", app])
expect(status == 66, f"--no-config: {status}\n{said}")

# Beside the program comes first; what it names lies beside it.
beside = write(folder / "bin/.teamsan", "check=uninit\nsuppressions=app.supp\n")
write(folder / "bin/app.supp", "race:nowhere\n")
status, said, report = run()
note = next(note for note in report["program"]["notes"] if "options come from" in note)
expect(status != 66 and not report["findings"], f"check=uninit: {status}\n{said}")  # the program's own
expect(f"suppressions={folder}/bin/app.supp" in note and "not checked: scratch-race, global-race" in note, note)

# What it may not, and what is wrong in it, is said in a sentence.
for text, sentence in (("report=json=/tmp/x\n", "report writes a file, which only a command line or TEAMSAN_OPTIONS may ask for"),
                       ("trace=t\n", "trace writes a file"), ("update_baseline\n", "update_baseline writes a file"),
                       ("sede=3\n", 'unknown option "sede"; the nearest known one is "seed"'),
                       ("help=1\n", "help=1 belongs into TEAMSAN_OPTIONS")):
    write(beside, text)
    status, said, report = run()
    expect(status == 2 and f"teamsan: {beside}: {sentence}" in said and said.count("\n") == 1, f"{text}: {status}\n{said}")

# Somebody else's is ignored.
write(beside, "error_exitcode=5\n")
if os.geteuid() == 0:
    os.chown(beside, 12345, 12345)
    status, said, report = run()
    expect(status == 66 and f"teamsan: {beside} is ignored: it belongs to somebody else" in said, f"of another owner: {said}")
else:
    print("not root: a file of another owner was not tried")
print("config files are taken, named, passed over and refused")
