# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs checked programs and says how they ended. Shared by the scripts of this folder."""

import os
import subprocess
import sys
import tempfile


def fail(sentence):
    sys.exit(f"failed: {sentence}")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def expect(condition, sentence):
    if not condition:
        fail(sentence)


def run(program, options, environment=(), folder=None, arguments=()):
    """One run of a checked program. `options`: keys of TEAMSAN_OPTIONS, a list. Gives its exit status (negative: the
    signal), its process number and what it printed."""
    surroundings = dict(os.environ, TEAMSAN_OPTIONS=":".join(options), **dict(environment))
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([program, *arguments], env=surroundings, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        status = process.wait(timeout=300)
        output.seek(0)
        return status, process.pid, output.read().decode(errors="replace")


def target(format_name, file):
    """The option that writes a report. The file's name is quoted: it may hold a colon."""
    return f'report={format_name}="{file}"'
