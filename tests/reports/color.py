# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text report is coloured on a terminal, and nowhere else: NO_COLOR, TERM=dumb and --color=0 say no, --color says yes.

    color.py LAUNCHER PROGRAM
"""

import os
import pty
import subprocess
import sys

from programs import expect

launcher, program = sys.argv[1:3]
os.environ.pop("TEAMSAN_OPTIONS", None)


def colored(flags=(), terminal=True, **environment):
    """Whether standard error has colours, when it is a terminal or a pipe."""
    surroundings = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | environment
    ours, theirs = pty.openpty() if terminal else os.pipe()
    process = subprocess.Popen([launcher, "run", *flags, "--", program], env=surroundings, stdout=subprocess.DEVNULL,
                               stderr=theirs)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 65536):
            text += part
    except OSError:
        pass  # the terminal has nobody at its other end any more
    os.close(ours)
    expect(process.wait() == 66, f"status {process.returncode}: {text}")
    expect(b"[scratch-race]" in text, f"no report: {text}")
    return b"\033[1;31m" in text


expect(colored(), "a terminal has no colours")
expect(not colored(terminal=False), "a pipe has colours")
expect(not colored(NO_COLOR="1"), "NO_COLOR")
expect(colored(NO_COLOR=""), "an empty NO_COLOR says nothing")
expect(not colored(TERM="dumb"), "a dumb terminal has colours")
expect(not colored(["--color=0"]), "--color=0")
expect(colored(["--color"], NO_COLOR="1", terminal=False), "--color")
print("coloured on terminals alone, or where asked")
