# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site builds without a warning; every link and picture leads somewhere, to a place in the page too; every page can be
reached from the menu; search knows every rule; the rules' pages show wrong and right kernels, the headers' pages their
declarations. Links to other sites are not followed: there are none.

    check.py SOURCES DIRECTORY
"""
# needs: yaml

import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import urllib.parse

sources, work = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute()
if not shutil.which("mkdocs"):
    print("skipped: no mkdocs (scripts/setup --docs installs it)")
    sys.exit(77)


def expect(condition, sentence):
    if not condition:
        sys.exit(f"failed: {sentence}")


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.places |= {known[key] for key in ("id", "name") if known.get(key)}
        link = known.get("href") if tag in ("a", "link") else known.get("src")
        if link:
            self.links.append((tag, link))


def broken(site):
    """Links of the pages under SITE that lead nowhere."""
    pages = {path: Page(path.read_text()) for path in site.rglob("*.html") if path.name != "404.html"}  # its links are absolute
    found = []
    for path, page in pages.items():
        for tag, link in page.links:
            parts = urllib.parse.urlparse(link)
            if parts.scheme or parts.netloc:
                if tag == "a" and "mkdocs" not in link and parts.scheme != "javascript":
                    found.append(f"{path.relative_to(site)}: {link} is another site's")
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                found.append(f"{path.relative_to(site)}: {link} is not there")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
                found.append(f"{path.relative_to(site)}: {link} has no such place")
    return found


ended = subprocess.run([sources / "docs/site/build", work], capture_output=True, text=True)
expect(ended.returncode == 0, ended.stdout + ended.stderr)
site = work / "site"
wrong = broken(site)
expect(not wrong, "\n".join(wrong))

index = Page((site / "index.html").read_text())
menu = {(site / urllib.parse.urlparse(link).path).resolve() for tag, link in index.links if tag == "a"}
pages = {path.resolve() for path in site.rglob("*.html") if path.name != "404.html"}
expect(pages <= menu | {(site / "index.html").resolve()}, f"not in the menu: {[str(path) for path in pages - menu]}")
rules = [line.split("[")[1].split("]")[0] for line in (sources / "docs/rules.md").read_text().splitlines()
         if line.startswith("| [")]
expect(len(rules) > 15, f"docs/rules.md lists {rules}")
searched = {entry["location"] for entry in json.loads((site / "search/search_index.json").read_text())["docs"]}
for rule in rules:
    expect(f"rules/{rule}.html" in searched, f"search does not know {rule}")
    page = (site / f"rules/{rule}.html").read_text()
    expect("EXPECT-NONE" in page and f"EXPECT: {rule}" in page.replace("<span class=\"c1\">", ""), f"{rule} shows no wrong and right kernel")
for header, words in (("workgroup/warp_store", "cub::WarpStore"), ("usm/Kind", "concurrent_access"), ("patterns/Curves", "load_curve")):
    expect(words in (site / f"headers/{header}.html").read_text(), f"{header} lacks {words}")

# The check can fail.
for damage in ("nowhere.html", "options.html#no-such-place"):
    page = site / "hip.html"
    sound = page.read_text()
    page.write_text(sound.replace("</body>", f'<a href="{damage}">x</a></body>'))
    expect(len(broken(site)) == 1, f"a link to {damage} is not noticed")
    page.write_text(sound)
print(f"{len(pages)} pages, {sum(len(Page(path.read_text()).links) for path in pages)} links")
