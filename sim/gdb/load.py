# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads the script from its folder: `source sim/gdb/load.py`, for a program that carries none (strip takes it away)."""
import os
import sys
import types

import gdb

_folder = os.path.dirname(os.path.abspath(os.path.expanduser(__file__)))
_package = types.ModuleType("teamsan_gdb")
_package.__path__ = [_folder]
sys.modules["teamsan_gdb"] = _package
sys.dont_write_bytecode = True
for _name in ("memory", "places", "machine", "command", "focus", "frames", "functions", "reports", "launches", "commands", "info",
              "views", "elements", "shadow"):
    for _loaded in [n for n in sys.modules if n == "teamsan_gdb." + _name]:
        del sys.modules[_loaded]
    __import__("teamsan_gdb." + _name)
