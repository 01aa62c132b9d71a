# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The line that makes a finding again can be pasted, also where the program was not started by the launcher: it names the
launcher of the build, and running it gives the finding.

    launcher.py TEAMSAN PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from programs import expect, run, target

teamsan, program = (pathlib.Path(word).resolve() for word in sys.argv[1:])


def report_of(folder):
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "report.json"
        run(program, [target("json", file)], folder=folder)
        return json.loads(file.read_text())


for folder in (pathlib.Path("/"), teamsan.parent):
    report = report_of(folder)
    expect((folder / report["program"]["launcher"]).resolve() == teamsan, f"in {folder}: {report['program']['launcher']}")
    line, finding = report["findings"][0]["rerun"], report["findings"][0]["id"]
    again = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, timeout=300,
                           env={k: v for k, v in os.environ.items() if not k.startswith("TEAMSAN")})
    expect(again.returncode == 66 and finding in again.stderr, f"in {folder}: {line}\n{again.stderr}")
