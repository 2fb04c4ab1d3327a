#!/usr/bin/env python3
"""Checks of 1,000 files against ruff, in one run: of a project in which one file in 50 is a kernel, and of kernels alone.

The kernels are those of `tests/kernels` with their launches, in turn; the other files are Python's own. Each tool checks
the folder once without a cache and once to fill it; then all take turns with what they have kept. a2lint replays and
proves; ruff has its default rules, and once more such that find nothing, so that it has nothing to show.

Needs ruff (`pip install ruff`) and cargo: `python3 benches/against_ruff.py [A2LINT]`.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = 1000
# Both take turns, because the clock of a shared machine wavers from second to second.
TURNS = 21


def built():
    """The release binary."""
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "release" / "a2lint"


def grow(folder, kernels):
    """Writes 1,000 files, so many of them kernels; the same text is another file under another name."""
    library = pathlib.Path(sysconfig.get_paths()["stdlib"])
    others = sorted(path for path in library.rglob("*.py") if 2000 < path.stat().st_size < 40000)
    sources = sorted((ROOT / "tests/kernels").glob("*.py"))
    for at in range(FILES):
        of = sources if at < kernels else others
        source = of[at % len(of)]
        shutil.copyfile(source, folder / f"{source.stem}_{at}.py")


def seconds(command, folder, env):
    """How long a command takes."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    taken = time.perf_counter() - start
    if done.returncode not in (0, 1):
        sys.exit(f"{command}: exit status {done.returncode}")
    return taken


def compare(binary, ruff, kernels):
    """Prints what all take for a folder with so many kernels."""
    print(f"{FILES} files, {kernels} of them kernels")
    with tempfile.TemporaryDirectory() as top:
        folder, home = pathlib.Path(top) / "project", pathlib.Path(top) / "home"
        folder.mkdir()
        home.mkdir()
        grow(folder, kernels)
        env = {**os.environ, "HOME": str(home)}
        for name in ["XDG_STATE_HOME", "A2LINT_NO_CACHE", "A2LINT_CACHE_DIR"]:
            env.pop(name, None)
        commands = {
            "a2lint": [binary, "check"],
            "ruff": [ruff, "check"],
            "silent ruff": [ruff, "check", "--select", "E9"],
        }

        def turns(count, *options):
            taken = {name: [] for name in commands}
            for _ in range(count):
                for name, command in commands.items():
                    taken[name].append(seconds([*command, *options], folder, env))
            return {name: statistics.median(times) for name, times in taken.items()}

        def show(what, medians):
            ours = medians["a2lint"]
            line = f"  {what:<22} a2lint {ours * 1e3:9.1f} ms"
            for name in ["ruff", "silent ruff"]:
                line += f"  {name} {medians[name] * 1e3:6.1f} ms, ratio {ours / medians[name]:.2f}"
            print(line, flush=True)

        show("without a cache", turns(1, "--no-cache"))
        show("the first, kept", turns(1))
        show("the second and later", turns(TURNS))
        size = sum(path.stat().st_size for path in (folder / ".a2lint_cache").iterdir())
        print(f"  {'the cache':<22} {size / 1e6:.2f} MB")
        edited = min(folder.glob("*.py"))
        edited.write_text(edited.read_text() + "\n# edited\n")
        show("after one edit", turns(1))


def main():
    binary = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else built()
    ruff = shutil.which("ruff") or sys.exit("ruff is not there: pip install ruff")
    for kernels in [FILES // 50, FILES]:
        compare(binary, ruff, kernels)


if __name__ == "__main__":
    main()
