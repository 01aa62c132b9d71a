# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gathers the pages of the site: docs/*.md, the README and its kin, a page for each rule with the tests' kernels, a page for
each header of model/ out of its comments. Names of pages in the text become links.

    pages.py SOURCES OUTPUT     writes OUTPUT/mkdocs.yml and OUTPUT/pages/
"""
# needs: yaml

import pathlib
import re
import shutil
import sys

import yaml

sources, output = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
pages = output / "pages"
HEADER_FOLDERS = ("workgroup", "patterns", "usm")
KIN = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md",
       "SECURITY.md": "security.md", "sim/README.md": "inside.md", "traces/FORMAT.md": "trace-format.md"}
# A page is named by its file, in docs/ or not, in backquotes or not; the rules have a folder of their own.
named = {path.name: path.name for path in (sources / "docs").glob("*.md")} | {"rules.md": "rules/index.md"}
named |= {f"docs/{name}": page for name, page in named.items()} | KIN
names = re.compile(r"(`?)(?<![\w/.\[(-])(" + "|".join(re.escape(n) for n in sorted(named, key=len, reverse=True)) + r")(?![\w/])\1")


def linked(text, here):
    """The names of pages in prose as links; code, and what is a link already, stays."""
    up = "../" * here.count("/")
    lines, fenced = [], False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if not fenced and not line.startswith("    ") and not line.startswith("#"):
            pieces = re.split(r"(\[[^\]]*\]\([^)]*\))", line)
            pieces[::2] = [names.sub(lambda m: m[0] if named[m[2]] == here else f"[{m[0]}]({up}{named[m[2]]})", piece)
                           for piece in pieces[::2]]
            line = "".join(pieces)
        lines.append(line)
    return "\n".join(lines) + "\n"


def write(name, text):
    (pages / name).parent.mkdir(parents=True, exist_ok=True)
    (pages / name).write_text(linked(text, name))


def kernels_of(folder):
    """The wrong kernels of the tests, each beside its right twin."""
    text = ""
    for wrong in sorted((sources / "tests/kernels" / folder).glob("*.cpp")):
        if wrong.stem.endswith("_fixed"):
            continue
        twin = wrong.with_name(f"{wrong.stem}_fixed.cpp")
        for file, kind in ((wrong, "failure"), (twin, "success")):
            code = "\n".join(f"    {line}".rstrip() for line in file.read_text().splitlines())
            text += f"\n??? {kind} \"tests/kernels/{folder}/{file.name}\"\n\n    ```cpp\n{code}\n    ```\n"
    return text


def rules():
    """docs/rules.md, a page for each rule."""
    head, *sections = re.split(r"^## ", (sources / "docs/rules.md").read_text(), flags=re.M)
    write("rules/index.md", re.sub(r"\]\(#([\w-]+)\)", r"](\1.md)", head))
    made = ["rules/index.md"]
    for section in sections:
        rule, text = section.split("\n", 1)
        shown = kernels_of(rule)
        if shown:
            text += "\n## Kernels of the tests\n\nEach is run by the tests: the wrong one must be found, at the line that says so, and the "\
                    "right one must be silent.\n" + shown
        write(f"rules/{rule}.md", f"# {rule}\n{text}")
        made.append(f"rules/{rule}.md")
    return made


def prose(comment):
    """A `///` block as Markdown: what is indented by three blanks is code."""
    lines = []
    for line in (re.sub(r"^\s*/// ?", "", line) for line in comment):
        if line.startswith("  "):
            lines.append(f"  {line}")
        else:  # a template's arguments are no tags
            pieces = line.split("`")
            pieces[::2] = [piece.replace("<", "&lt;") for piece in pieces[::2]]
            lines.append("`".join(pieces))
    return "\n".join(lines)


def declaration(lines):
    """What a comment stands before: a short type as a whole, else up to its body."""
    taken = []
    for line in lines:
        taken.append(line)
        if line.rstrip().endswith(";") or line.rstrip().endswith("{") or "{ " in line:
            break
    if re.search(r"\b(struct|enum|class)\b", taken[-1]) and taken[-1].rstrip().endswith("{"):
        body = []
        for line in lines[len(taken):]:
            body.append(line)
            if re.match(r"\s{0,2}};", line):
                break
        if len(body) <= 20:
            return "\n".join(taken + body)
    return re.sub(r"\s*\{.*$", "", "\n".join(taken))


def source_of(path):
    """Behind the line of its licence."""
    return path.read_text().split("\n", 1)[1]


def header(path):
    """Its opening comment, then each commented declaration outside of Impl."""
    lines = source_of(path).splitlines()
    at = 0
    while lines[at].startswith("///"):
        at += 1
    text = f"# {path.name}\n\n`#include <teamsan/{path.relative_to(sources)}>`\n\n{prose(lines[:at])}\n"
    hidden, comment, shown = False, [], ""
    for index, line in enumerate(lines[at:], at):
        hidden = (hidden or line.startswith("namespace Impl {")) and not line.startswith("}  // namespace Impl")
        if re.match(r"\s{0,2}/// ", line) or (comment and line.strip() == "///"):
            comment.append(line)
        elif comment:
            if not hidden and not line.strip().startswith("#"):
                shown += f"\n```cpp\n{declaration(lines[index:])}\n```\n\n{prose(comment)}\n"
            comment = []
    return text + ("\n## Declarations\n" + shown if shown else "")


def headers():
    made = []
    for folder in HEADER_FOLDERS:
        for path in sorted((sources / "model" / folder).glob("*.hpp")):
            if not source_of(path).startswith("///"):
                continue
            name = f"headers/{folder}/{path.stem}.md"
            write(name, header(path))
            made.append(name)
    return made


shutil.rmtree(pages, ignore_errors=True)
pages.mkdir(parents=True)
for page in (sources / "docs").glob("*.md"):
    if page.name != "rules.md":
        write(page.name, page.read_text())
for picture in (sources / "docs").glob("*.svg"):
    shutil.copy(picture, pages)
for file, page in KIN.items():
    write(page, (sources / file).read_text())
settings = yaml.safe_load((sources / "docs/site/mkdocs.yml").read_text())
for entry, made in (("Rules", rules()), ("Headers of model/", headers())):
    next(item for item in settings["nav"] if entry in item)[entry] = made
(output / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False))
