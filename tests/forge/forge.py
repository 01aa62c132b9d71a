# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that CI services read: .github/, .gitlab-ci.yml, examples/ci/ and the recipes of docs/ci.md. GitHub's go through
actionlint, GitLab's through GitLab's own schema, all shell lines through shellcheck, and every check must refuse a damaged
file. Then the templates' jobs run here, with the steps that set up and build left out: a wrong program and a right one in
each compiler's job, and in four shards that are merged.

    forge.py SOURCES TEAMSAN WRONG_PROGRAM RIGHT_PROGRAM DIRECTORY
"""
# needs: jsonschema, yaml

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import jsonschema
import yaml

sources, teamsan, wrong, right, folder = (pathlib.Path(word).absolute() for word in sys.argv[1:6])
actionlint, gitlab_schema = sources / ".deps/actionlint", sources / ".deps/schemas/gitlab-ci.json"
launcher = "build/external/teamsan/sim/cli/teamsan"
missing = [name for name in ("node", "shellcheck") if not shutil.which(name)]
missing += [str(path) for path in (actionlint, gitlab_schema) if not path.exists()]
if missing:
    print(f"skipped: {', '.join(missing)} missing (scripts/setup --validators brings them)")
    sys.exit(77)


def expect(condition, sentence):
    if not condition:
        sys.exit(f"failed: {sentence}")


def lint_workflows(texts):
    """What actionlint says of {name: text}."""
    with tempfile.TemporaryDirectory() as work:
        names = []
        for name, text in texts.items():
            names.append(name.replace("/", "_"))
            (pathlib.Path(work) / names[-1]).write_text(text)
        command = ["node", sources / "tests/forge/actionlint.cjs", actionlint, *names]
        return json.loads(subprocess.run(command, cwd=work, check=True, capture_output=True, text=True).stdout)


def lint_pipeline(text):
    """What GitLab's schema says."""
    validator = jsonschema.Draft7Validator(json.loads(gitlab_schema.read_text()))
    return [error.message[:300] for error in validator.iter_errors(yaml.safe_load(text))]


def lint_shell(script):
    said = subprocess.run(["shellcheck", "--shell=sh", "--severity=style", "-"], input=script, capture_output=True, text=True)
    return said.stdout


def workflow_scripts(text):
    """Each `run:` with a word in place of its expressions."""
    for job in yaml.safe_load(text)["jobs"].values():
        for step in job["steps"]:
            if "run" in step:
                yield re.sub(r"\$\{\{.*?\}\}", "word", step["run"])


def pipeline_jobs(text):
    return {name: job for name, job in yaml.safe_load(text).items()
            if isinstance(job, dict) and ("script" in job or "before_script" in job)}


def pipeline_scripts(text):
    for job in pipeline_jobs(text).values():
        yield "\n".join(job.get("before_script", []) + job.get("script", []))


# Every file, through its service's checks.
blocks = re.findall(r"^```yaml\n(.*?)^```$", (sources / "docs/ci.md").read_text(), re.M | re.S)
workflows = {str(path.relative_to(sources)): path.read_text() for path in (sources / ".github/workflows").glob("*.yml")}
workflows |= {"examples/ci/github.yml": (sources / "examples/ci/github.yml").read_text(), "docs/ci.md": blocks[0]}
pipelines = {name: (sources / name).read_text() for name in (".gitlab-ci.yml", "examples/ci/gitlab.yml")}
pipelines |= {"docs/ci.md": blocks[1]}
expect(len(workflows) >= 3, f"too few workflows: {list(workflows)}")
said = lint_workflows(workflows)
expect(not said, "\n".join(said))
for name, text in pipelines.items():
    said = lint_pipeline(text)
    expect(not said, f"{name}: {said}")
scripts = [(name, script) for name, text in workflows.items() for script in workflow_scripts(text)]
scripts += [(name, script) for name, text in pipelines.items() for script in pipeline_scripts(text)]
for name, script in scripts:
    said = lint_shell(script)
    expect(not said, f"{name}: {said}")
    for ours in re.findall(r"(?:external/teamsan/|^|\s)(scripts/[\w-]+)", script):
        expect(os.access(sources / ours, os.X_OK), f"{name} runs {ours}, which is not there")
for path in (sources / ".github/ISSUE_TEMPLATE").glob("*.md"):
    front = yaml.safe_load(path.read_text().split("---")[1])
    expect(front.get("name") and front.get("about"), f"{path.name} needs a name and what it is about")

# The checks can fail.
sound = workflows["examples/ci/github.yml"]
for old, new in (("runs-on", "run-on"), ("matrix.compiler }}", "matrix.compilers }}"), ("needs: shard", "needs: shards")):
    expect(lint_workflows({"damaged.yml": sound.replace(old, new, 1)}), f"actionlint takes {new}")
sound = pipelines["examples/ci/gitlab.yml"]
for old, new in (("  script:\n", "  scripts:\n"), ("codequality: quality.json", "codequality: [1]"), ("when: always", "when: ever")):
    expect(lint_pipeline(sound.replace(old, new, 1)), f"GitLab's schema takes {new}")
expect(lint_shell("cat $file | grep x\n"), "shellcheck takes anything")


def workplace(name, program):
    """A checkout after its build, as far as a job's last step needs it."""
    work = folder / name
    shutil.rmtree(work, ignore_errors=True)
    (work / launcher).parent.mkdir(parents=True)
    (work / launcher).symlink_to(teamsan)
    (work / "build/app_teamsan").symlink_to(program)
    return work


def run(script, work, environment=()):
    surroundings = {key: value for key, value in os.environ.items() if key != "TEAMSAN_OPTIONS"} | dict(environment)
    ended = subprocess.run(["sh", "-e", "-c", script], cwd=work, env=surroundings, capture_output=True, text=True)
    return ended.returncode, ended.stdout + ended.stderr


def filled(text, values):
    """A script or a path with the matrix's values in place of its expressions."""
    return re.sub(r"\$\{\{ *matrix\.(\w+) *\}\}", lambda match: str(values[match[1]]), text)


def handed_on(work, paths):
    for path in paths:
        file = work / path
        expect(file.exists() and (file.is_dir() or file.stat().st_size > 0), f"{work.name}: no {path}")


def steps_of(job, action):
    return [step for step in job["steps"] if step.get("uses", "").startswith(action + "@")]


def command_of(job, name):
    return next(step["run"] for step in job["steps"] if step.get("name") == name)


def try_github(jobs, program, status):
    name = program.name
    work = workplace(f"github-check-{name}", program)
    ended, output = run(command_of(jobs["check"], "Check"), work)
    expect(ended == status, f"GitHub's check of {name}: status {ended}: {output}")
    handed_on(work, [steps_of(jobs["check"], "github/codeql-action/upload-sarif")[0]["with"]["sarif_file"],
                     steps_of(jobs["check"], "actions/upload-artifact")[0]["with"]["path"]])
    merge = jobs["merge"]
    merging = workplace(f"github-merge-{name}", program)
    download = steps_of(merge, "actions/download-artifact")[0]["with"]
    expect(download["merge-multiple"], "the parts must lie in one folder")
    (merging / download["path"]).mkdir()
    parts = jobs["shard"]["strategy"]["matrix"]["part"]
    for part in parts:
        work = workplace(f"github-shard-{part}-{name}", program)
        ended, output = run(filled(command_of(jobs["shard"], "Check"), {"part": part}), work)
        expect(ended == 0, f"GitHub's shard {part} of {name}: status {ended}: {output}")
        upload = steps_of(jobs["shard"], "actions/upload-artifact")[0]["with"]
        expect(re.fullmatch(download["pattern"].replace("*", ".*"), filled(upload["name"], {"part": part})), upload["name"])
        shutil.copy(work / filled(upload["path"], {"part": part}), merging / download["path"])
    ended, output = run(command_of(merge, "Merge"), merging)
    expect(ended == status, f"GitHub's merge of {name}: status {ended}: {output}")
    handed_on(merging, [steps_of(merge, "github/codeql-action/upload-sarif")[0]["with"]["sarif_file"],
                        steps_of(merge, "actions/upload-artifact")[0]["with"]["path"]])
    (merging / download["path"] / f"part{parts[-1]}.json").unlink()
    ended, output = run(command_of(merge, "Merge"), merging)
    expect(ended == 3, f"GitHub's merge of {name} without a part: status {ended}: {output}")


def without_build(job):
    return "\n".join(line for line in job["script"] if not line.startswith("cmake "))


def try_gitlab(jobs, program, status):
    name = program.name
    job = jobs["teamsan"]
    work = workplace(f"gitlab-check-{name}", program)
    ended, output = run(without_build(job), work)
    expect(ended == status, f"GitLab's check of {name}: status {ended}: {output}")
    handed_on(work, job["artifacts"]["paths"] + list(job["artifacts"]["reports"].values()))
    merging = workplace(f"gitlab-merge-{name}", program)
    shards = jobs["teamsan-shard"]
    for part in range(1, shards["parallel"] + 1):
        work = workplace(f"gitlab-shard-{part}-{name}", program)
        ended, output = run(without_build(shards), work,
                            {"CI_NODE_INDEX": str(part), "CI_NODE_TOTAL": str(shards["parallel"])})
        expect(ended == 0, f"GitLab's shard {part} of {name}: status {ended}: {output}")
        for path in shards["artifacts"]["paths"]:
            shutil.copytree(work / path, merging / path, dirs_exist_ok=True)
    job = jobs["teamsan-merge"]
    ended, output = run(without_build(job), merging)
    expect(ended == status, f"GitLab's merge of {name}: status {ended}: {output}")
    handed_on(merging, job["artifacts"]["paths"] + list(job["artifacts"]["reports"].values()))


for program, status in ((wrong, 66), (right, 0)):
    try_github(yaml.safe_load(workflows["examples/ci/github.yml"])["jobs"], program, status)
    try_gitlab(pipeline_jobs(pipelines["examples/ci/gitlab.yml"]), program, status)
print(f"{len(workflows)} workflows, {len(pipelines)} pipelines, {len(scripts)} scripts; both templates ran")
