# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines report, as docs/editors.md says that editors take it.

    editors.py DOCS/editors.md PROGRAM       PROGRAM: examples/pitfalls/neighbour_exchange, which has one scratch-race
"""

import json
import pathlib
import re
import sys
import tempfile

from programs import expect, run, target

page, program = pathlib.Path(sys.argv[1]).read_text(), sys.argv[2]
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "lines"
    status, _, output = run(program, [target("lines", file)])
    lines = file.read_text().splitlines()
expect(status == 66 and len(lines) == 3, f"status {status}: {lines}\n{output}")

# VS Code's problem matcher, out of the page.
task = json.loads(re.search(r"```json\n(.*?)```", page, re.S).group(1))["tasks"][0]
matcher = task["problemMatcher"]["pattern"]
problems = []
for line in lines:
    match = re.match(matcher["regexp"], line)
    expect(match, f"VS Code does not take: {line}")
    problems.append({key: match.group(matcher[key]) for key in ("file", "line", "column", "severity", "message", "code")})
first = problems[0]
source = pathlib.Path(first["file"])
expect(source.name == "neighbour_exchange.cpp" and source.exists(), f"no file to jump to: {first}")
expect("EXPECT: scratch-race" in source.read_text().splitlines()[int(first["line"]) - 1], f"another line: {first}")
expect((first["severity"], first["code"]) == ("error", "scratch-race"), f"{first}")
expect(first["message"] == 'write/read race on team scratch in kernel "exchange"', f"{first}")
expect([one["severity"] for one in problems[1:]] == ["note", "note"] and problems[1]["message"].startswith("READ: league 0"),
       f"notes: {problems[1:]}")
expect(problems[2]["message"].startswith("fix: put member.team_barrier() between"), f"the cure: {problems[2]}")

# Vim's errorformat: %f:%l:%c: %t%*[a-z]: %m
for line in lines:
    expect(re.match(r"[^:]+:\d+:\d+: [a-z][a-z]+: .+$", line), f"Vim does not take: {line}")
expect(r"errorformat=%f:%l:%c:\ %t%*[a-z]:\ %m" in page, "the page has another errorformat")
# The page shows what is said.
shown = [line.strip() for line in page.splitlines() if "neighbour_exchange.cpp:" in line]
for line, of_page in zip(lines, shown):
    expect(line.endswith(of_page[of_page.index("neighbour_exchange.cpp"):].removesuffix(" ...")) or
           of_page.removesuffix(" ...").split("neighbour_exchange.cpp", 1)[1] in line, f"the page says {of_page}, and not {line}")
print(f"{len(lines)} lines are taken")
