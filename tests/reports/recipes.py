# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipes of docs/ci.md: the YAML is valid and has the parts that its service asks for; the command of each, run on a
program with a bug, ends with 66 and leaves every file that the recipe hands on. Also: integrating.md shows the lines of
examples/consumer.

    recipes.py SOURCE_DIRECTORY TEAMSAN PROGRAM DIRECTORY
"""
# needs: yaml

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import yaml

from programs import expect

sources, teamsan, program, folder = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", (sources / "docs/ci.md").read_text(), re.M | re.S)
expect([kind for kind, _ in blocks] == ["yaml", "yaml", "groovy", "yaml"], f"ci.md has the blocks {[kind for kind, _ in blocks]}")


def check_command(service, command, files):
    """`command` as the recipe has it, with our launcher and program in place of the project's."""
    words = shlex.split(command)
    expect(words[0].endswith("/teamsan") and words[-2].endswith("/app_teamsan"), f"{service}: {words}")
    work = folder / service
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    surroundings = {key: value for key, value in os.environ.items() if key != "TEAMSAN_OPTIONS"}
    ended = subprocess.run([teamsan] + words[1:-2] + [program], cwd=work, env=surroundings, capture_output=True,
                           text=True, check=False)
    expect(ended.returncode == 66, f"{service}: status {ended.returncode}\n{ended.stdout}{ended.stderr}")
    for file in files:
        expect((work / file).stat().st_size > 0, f"{service}: {file} is empty")
    left = set(os.listdir(work)) - set(files)
    expect(not left, f"{service}: nobody takes {left}")
    return ended.stdout


def github(recipe):
    expect(set(recipe) == {"name", True, "permissions", "jobs"}, f"keys {set(recipe)}")  # YAML 1.1 reads `on` as True
    job = recipe["jobs"]["teamsan"]
    expect(isinstance(job["runs-on"], str), "runs-on")
    for step in job["steps"]:
        expect(("run" in step) != ("uses" in step), f"{step}")
        expect("uses" not in step or re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"]), f"{step}")
    uses = {step["uses"].split("@")[0]: step for step in job["steps"] if "uses" in step}
    upload, artifact = uses["github/codeql-action/upload-sarif"], uses["actions/upload-artifact"]
    expect("cancelled()" in upload["if"] and "cancelled()" in artifact["if"], "uploads must come after a failure, too")
    expect(recipe["permissions"]["security-events"] == "write", "code scanning needs the permission")
    command = next(step["run"] for step in job["steps"] if "teamsan run" in step.get("run", ""))
    said = check_command("github", command, [upload["with"]["sarif_file"], artifact["with"]["path"]])
    expect("::error title=TeamSan" in said, "no annotation on standard output")


def gitlab(recipe):
    job = recipe["teamsan"]
    expect(all(isinstance(line, str) for line in job["script"]), "a line of the script is no string")
    artifacts = job["artifacts"]
    expect(artifacts["when"] == "always", "artifacts must come after a failure, too")
    command = next(line for line in job["script"] if "teamsan run" in line)
    check_command("gitlab", command, artifacts["paths"] + list(artifacts["reports"].values()))


def jenkins(text):
    for opening, closing in ("{}", "()", "[]"):
        expect(text.count(opening) == text.count(closing), f"{opening} and {closing} do not balance")
    command = re.search(r"sh '([^']*teamsan run[^']*)'", text)[1]
    check_command("jenkins", command, [re.search(r"junit '([^']+)'", text)[1],
                                       re.search(r"archiveArtifacts artifacts: '([^']+)'", text)[1]])


github(yaml.safe_load(blocks[0][1]))
gitlab(yaml.safe_load(blocks[1][1]))
jenkins(blocks[2][1])

shown = re.search(r"## The lines\n\n(.*?)\n\n`examples", (sources / "docs/integrating.md").read_text(), re.S)[1]
consumer = [line.strip() for line in (sources / "examples/consumer/CMakeLists.txt").read_text().splitlines()]
for line in filter(None, map(str.strip, shown.splitlines())):
    expect(line in consumer, f"integrating.md shows a line that examples/consumer does not have: {line}")
print("three recipes, and the lines of examples/consumer")
