# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a package holds and how one is made: the Spack recipe asks for what CMake asks for, the container file is valid, the
man pages are well-formed and name every command, the three shells complete a command line.

    check.py SOURCES TEAMSAN FOLDER_OF_MAN_PAGES DIRECTORY
"""

import json
import os
import pathlib
import py_compile
import re
import shutil
import subprocess
import sys
import types

sources, teamsan, man_pages, work = (pathlib.Path(word).absolute() for word in sys.argv[1:5])
left_out = []


def expect(condition, sentence):
    if not condition:
        sys.exit(f"failed: {sentence}")


def said_by(command, status=0, **options):
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, **options)
    expect(ended.returncode == status, f"{command} ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    return ended.stdout


def available(program):
    if not shutil.which(program):
        left_out.append(program)
    return shutil.which(program)


def spack():
    """The recipe, run with a stand-in for Spack that notes what it says."""
    recipe = sources / "packaging/spack/packages/teamsan/package.py"
    py_compile.compile(str(recipe), cfile=str(work / "package.pyc"), doraise=True)
    depends, options, filtered = [], [], []
    stand_in = types.ModuleType("spack.package")
    for name in ("version", "license", "variant", "generator", "conflicts"):
        setattr(stand_in, name, lambda *words, **more: None)
    stand_in.depends_on = lambda spec, **more: depends.append(spec)
    stand_in.filter_compiler_wrappers = lambda file, relative_root: filtered.append(f"{relative_root}/{file}")
    stand_in.CMakePackage = type("CMakePackage", (), {"define": lambda self, name, value: options.append(name),
                                                      "define_from_variant": lambda self, name, variant: options.append(name)})
    sys.modules |= {"spack": types.ModuleType("spack"), "spack.package": stand_in}
    scope = {}
    exec(compile(recipe.read_text(), str(recipe), "exec"), scope)
    scope["Teamsan"]().cmake_args()
    expect("bin/teamsan-c++" in filtered, "teamsan-c++ names Spack's compiler, which may be teamsan-c++ by then")
    cmake = (sources / "cmake/Dependencies.cmake").read_text()
    found = re.findall(r"^(?:teamsan_find\(|find_library\(TEAMSAN_LIB)(\w+)", cmake, re.M)
    names = {"TBB": "intel-tbb", "fmt": "fmt", "CLI11": "cli11", "nlohmann_json": "nlohmann-json",
             "pugixml": "pugixml", "DW": "elfutils", "ZSTD": "zstd"}
    for package in found:
        expect(package in names, f"{package} is new: say in packaging/check.py what Spack calls it")
        expect(any(re.match(rf"{names[package]}(@|$| )", spec) for spec in depends), f"the recipe lacks {names[package]}")
    prefix = (sources / "cmake/KokkosPrefix.cmake").read_text()
    oldest = re.search(r"TEAMSAN_KOKKOS_OLDEST ([\d.]+)", prefix)[1]
    untried = re.search(r"TEAMSAN_KOKKOS_UNTRIED (\d+)\.(\d+)", prefix)
    newest = f"{untried[1]}.{int(untried[2]) - 1}"
    expect(any(spec.startswith(f"kokkos@{oldest}:{newest} ") for spec in depends), f"not kokkos@{oldest}:{newest}: {depends}")
    known = "".join(path.read_text() for path in (sources / "CMakeLists.txt", sources / "cmake/Package.cmake"))
    for option in options:
        expect(option in known, f"the recipe sets {option}, which CMakeLists.txt does not know")


def container():
    text = (sources / "packaging/Containerfile").read_text()
    for script in re.findall(r"\b(scripts/[\w-]+)", text):
        expect(os.access(sources / script, os.X_OK), f"the container file runs {script}, which is not there")
    steps = re.findall(r"^RUN ((?:.*\\\n)*.*)", text, re.M)
    expect(len(steps) >= 3, f"steps: {steps}")
    if available("shellcheck"):
        for step in steps:
            said_by(["shellcheck", "--shell=sh", "-"], input=step + "\n")
    linter = sources / ".deps/dockerfile-utils"
    if not linter.exists() or not available("node"):
        left_out.append("dockerfile-utils")
        return
    program = "const d = require(process.argv[1]); let t = require('fs').readFileSync(0, 'utf8'); console.log(JSON.stringify(d.validate(t)))"

    def complaints(dockerfile):
        return json.loads(said_by(["node", "-e", program, linter / "node_modules/dockerfile-utils"], input=dockerfile))

    expect(not complaints(text), f"packaging/Containerfile: {complaints(text)}")
    expect(complaints(text.replace("WORKDIR", "WORKDIRR")), "dockerfile-utils takes anything")


def man():
    commands = re.findall(r"^  ([a-z][a-z-]*) ", said_by([teamsan, "--help"]), re.M)
    expect(len(commands) > 9, f"commands: {commands}")
    page = (man_pages / "teamsan.1").read_text()
    for command in commands:
        escaped = command.replace("-", "\\-")
        expect(f'.SS "teamsan {escaped}"' in page, f"teamsan.1 lacks {command}")
    if not available("mandoc"):
        return
    for name in ("teamsan.1", "teamsan-c++.1"):
        said = said_by(["mandoc", "-T", "lint", "-W", "error,stop", man_pages / name])
        shown = said_by(["mandoc", "-T", "utf8", man_pages / name])
        expect(name.split(".")[0] in shown and "SYNOPSIS" in re.sub(".\b", "", shown), f"{name} shows {shown[:400]}{said}")
    text = re.sub(".\b", "", said_by(["mandoc", "-T", "utf8", "-O", "width=100", man_pages / "teamsan.1"]))
    for line in said_by([teamsan, "run", "--help"]).splitlines():
        expect(line.strip() in text, f"teamsan.1 does not show: {line}")


# What is typed, one of the words that must be offered, one that must not.
TYPED = (("teamsan re", "replay", "run"), ("teamsan run --dev", "--device", "--check"), ("teamsan run --device mi", "mi250x", "h100"),
         ("teamsan run --lane-order sh", "shuffle", "ascending"), ("teamsan explain scr", "scratch-race", "global-race"),
         ("teamsan run --check all,ba", "all,bank-conflict", "all,race"))


def completion():
    folder = sources / "packaging/completion"
    (work / "bin").mkdir(parents=True, exist_ok=True)
    (work / "bin/teamsan").unlink(missing_ok=True)
    (work / "bin/teamsan").symlink_to(teamsan)
    environment = dict(os.environ, PATH=f"{work / 'bin'}:{os.environ['PATH']}", HOME=str(work))

    def asked(line):
        words = line.split(" ")
        return set(word.split("\t")[0] for word in said_by([teamsan, "complete", "--", *words]).split("\n")) - {""}

    def bash(line):
        words = line.split(" ")
        script = f". {folder}/teamsan.bash; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _teamsan; " \
                 'printf "%s\\n" "${COMPREPLY[@]}"'
        return set(said_by(["bash", "-c", script], env=environment).split("\n")) - {""}

    def zsh(line):
        words = line.split(" ")
        script = f"words=({' '.join(words)}); CURRENT={len(words)}; compadd() {{ print -l -- $candidates }}; _files() {{ : }}; " \
                 f"complete_it() {{ source {folder}/_teamsan }}; complete_it"
        return set(said_by(["zsh", "-f", "-c", script], env=environment).split("\n")) - {""}

    def fish(line):
        script = f"source {folder}/teamsan.fish; complete -C '{line}'"
        return set(word.split("\t")[0] for word in said_by(["fish", "-N", "-c", script], env=environment).split("\n")) - {""}

    shells = [asked] + [shell for shell in (bash, zsh, fish) if available(shell.__name__)]
    for line, wanted, unwanted in TYPED:
        for shell in shells:
            offered = shell(line)
            expect(wanted in offered and unwanted not in offered, f"{shell.__name__} offers for {line}: {offered}")
    expect(not asked("teamsan run app --dev") and not asked("teamsan run -- --dev"), "a program's options are its own")
    expect("--device=mi250x" in asked("teamsan run --device=mi"), "a value behind '='")
    expect("sarif=" in asked("teamsan run --report sa"), "the formats of reports")
    expect("mi250x" in bash("teamsan run --device = mi"), "a value behind '=', as bash parts it")
    expect("complete" not in asked("teamsan c"), "the shells' own command is not for people")
    expect("complete" not in said_by([teamsan, "--help"]), "the shells' own command is not for people")


work.mkdir(parents=True, exist_ok=True)
spack()
container()
man()
completion()
print("the Spack recipe, the container file, the man pages and the completion" +
      (f"; left out, for want of them: {', '.join(sorted(set(left_out)))}" if left_out else ""))
