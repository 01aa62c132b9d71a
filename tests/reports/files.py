# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where reports go: several in one run, %p and %r in their names, and no reader ever sees a part of one.

    files.py DIRECTORY PROGRAM
"""

import os
import pathlib
import shutil
import sys
import threading

from programs import expect, run, target

folder, program = pathlib.Path(sys.argv[1]), sys.argv[2]
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
os.chdir(folder)


def names():
    status, number, output = run(program, [target("json", "%r.%p.json"), target("json", "twice.json"),
                                           target("lines", "100%%.lines"), target("sarif", "a:b c.sarif"),
                                           "log_file=log.%r.%p.txt"], {"OMPI_COMM_WORLD_RANK": "3"})
    expect(status == 66, f"status {status}: {output}")
    written = sorted(os.listdir())
    expect(written == sorted([f"3.{number}.json", "twice.json", "100%.lines", "a:b c.sarif", f"log.3.{number}.txt"]),
           f"written were {written}")
    expect(pathlib.Path("twice.json").read_text() == pathlib.Path(f"3.{number}.json").read_text(), "two of one kind differ")


class Reader(threading.Thread):
    """Looks at a file as often as it can."""

    def __init__(self, file):
        super().__init__()
        self.file, self.ended, self.seen, self.parts, self.sizes = file, False, 0, [], set()

    def run(self):
        while not self.ended:
            try:
                text = self.file.read_text()
            except FileNotFoundError:
                continue
            self.seen += 1
            self.sizes.add(len(text))
            if not text.rstrip().endswith("</html>"):
                self.parts.append(text[-40:])


def whole():
    reader = Reader(pathlib.Path("page.html"))
    reader.start()
    try:
        for i in range(15):
            status, _, output = run(program, [target("html", "page.html"), f"num_threads={i % 3 + 1}"])
            expect(status == 66, f"status {status}: {output}")
    finally:
        reader.ended = True
        reader.join()
    expect(reader.seen > 15, f"the file was read {reader.seen} times only")
    expect(not reader.parts, f"{len(reader.parts)} of {reader.seen} times a part was read: {reader.parts[:1]}")
    print(f"read {reader.seen} times, {max(reader.sizes)} characters, whole every time")
    expect(not list(folder.glob("*.part")), "something was left beside it")


names()
whole()
