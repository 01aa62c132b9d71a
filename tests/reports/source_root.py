# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Paths for CI services, of a program that runs in another folder than the source's top: relative to --source-root, to what
GitLab or GitHub say, or to the top of the git tree.

    source_root.py DIRECTORY SOURCE_DIRECTORY PROGRAM
"""

import json
import os
import pathlib
import re
import shutil
import sys

from programs import expect, run, target

folder, sources, program = pathlib.Path(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3]
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
for variable in ("CI_PROJECT_DIR", "GITHUB_WORKSPACE"):
    os.environ.pop(variable, None)


def paths(name, options=(), environment=None, cwd=folder):
    """The path of the first finding in each format."""
    files = {one: folder / f"{name}.{one}" for one in ("sarif", "gitlab", "github")}
    targets = [target(one, file) for one, file in files.items()]
    status, _, output = run(program, [*options, *targets], environment or {}, folder=cwd)
    expect(status == 66, f"{name}: status {status}: {output}")
    result = json.loads(files["sarif"].read_text())["runs"][0]["results"][0]
    return {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            json.loads(files["gitlab"].read_text())[0]["location"]["path"],
            re.search(r"file=([^,:]*)", files["github"].read_text())[1]}


top, below = {"examples/pitfalls/neighbour_exchange.cpp"}, {"pitfalls/neighbour_exchange.cpp"}
expect(paths("chosen", [f'source_root="{sources}"']) == top, "--source-root")
relative = os.path.relpath(sources, os.path.realpath(folder))
expect(paths("relative", [f'source_root="{relative}/examples/"']) == below, "--source-root, from the folder of the start")
expect(paths("gitlab", environment={"CI_PROJECT_DIR": sources}) == top, "CI_PROJECT_DIR")
expect(paths("github", environment={"GITHUB_WORKSPACE": sources + "/examples"}) == below, "GITHUB_WORKSPACE")
expect(paths("both", [f'source_root="{sources}"'], {"GITHUB_WORKSPACE": sources + "/examples"}) == top, "the option wins")
# The program starts in a folder of a git tree that has the sources in it by a link.
(folder / "tree" / ".git").mkdir(parents=True)
(folder / "tree" / "build").mkdir()
os.symlink(sources, folder / "linked")
expect(paths("linked", [f'source_root="{folder / "linked"}"']) == top, "a link to the sources")
if os.path.exists(os.path.join(sources, ".git")):
    expect(paths("git", cwd=os.path.join(sources, "tests", "reports")) == top, "the top of the git tree")
expect(len(paths("elsewhere", cwd=folder / "tree" / "build") - top) > 0, "a tree without the sources")
print("paths are relative to the source root")
