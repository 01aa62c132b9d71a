# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In ui.perfetto.dev, intervals and arrows name the finding by the id, file and line that its report has.

    perfetto.py TEAMSAN PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from programs import expect, run, target

teamsan, program = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    trace, report, picture = (pathlib.Path(folder) / name for name in ("run.trace", "report.json", "picture.json"))
    run(program, [f'trace="{trace}"', target("json", report)])
    races = [one for one in json.loads(report.read_text())["findings"] if one["rule"].endswith("-race")]
    subprocess.run([teamsan, "trace", "--to", "perfetto", "-o", picture, trace], check=True, timeout=300)
    events = json.loads(picture.read_text())["traceEvents"]
expect(races, "no race was found")
arrows = [e["args"] for e in events if e["ph"] == "s"]
intervals = [text for e in events if e.get("cat") == "interval" for text in e.get("args", {}).get("findings", [])]
for race in races:
    lines = [f":{side['place']['line']}" for side in race["sides"]]
    expect(any(a["id"] == race["id"] and a["first"].endswith(lines[0]) and a["second"].endswith(lines[1]) for a in arrows),
           f"{race['id']} at {lines} is on no arrow: {arrows}")
    for line in lines:
        expect(any(text.startswith(f"{race['id']} {race['rule']} at ") and text.endswith(line) for text in intervals),
               f"{race['id']} at {line} is in no interval: {intervals}")
