"""Runs a kernel author's own script, its kernels on the embedded machine.

    python -m a2lint.exec [--keep-going] [-q] file.py [arguments…]

`easyasc` and `ascriptor` are stand-ins: `OpExec(kernel, …)(tensors…)` runs the kernel, as its text says, and
returns real tensors, so that the comparison in the script is made with them. This is the one command of
a2lint that executes the Python that it is given.
"""

from __future__ import annotations

import argparse
import os
import runpy
import sys

from . import _standin
from ._errors import A2LintError


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m a2lint.exec", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--keep-going", action="store_true", help="go on after errors in a run, and exit with 1")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing of runs without findings")
    parser.add_argument("file", help="the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    options = parser.parse_args(argv)
    if not os.path.isfile(options.file):
        parser.error(f"{options.file}: no such file")
    session = _standin.install(keep_going=options.keep_going, quiet=options.quiet)
    sys.argv = [options.file, *options.arguments]
    # As Python does for a script.
    sys.path[0] = os.path.dirname(os.path.abspath(options.file))
    try:
        runpy.run_path(options.file, run_name="__main__")
    except A2LintError as error:
        print(f"a2lint: {_place(error, options.file)}{error}", file=sys.stderr)
        session.failed = True
    except ModuleNotFoundError as error:
        # A script may import what only its author has: torch, most of the time.
        print(f"a2lint: {_place(error, options.file)}{error.name} is not installed, which the script imports", file=sys.stderr)
        session.failed = True
    session.conclude()
    return 1 if session.failed else 0


def _place(error: BaseException, path: str) -> str:
    """Where in the script an error was raised."""
    place, traceback = "", error.__traceback__
    while traceback is not None:
        if os.path.abspath(traceback.tb_frame.f_code.co_filename) == os.path.abspath(path):
            place = f"{path}:{traceback.tb_lineno}: "
        traceback = traceback.tb_next
    return place


if __name__ == "__main__":
    sys.exit(main())
