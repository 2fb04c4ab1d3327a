#!/usr/bin/env python3
"""What one or two builds of a2lint say of a folder of kernels, as a table.

    tests/corpus/compare.py FOLDER [--old PATH] [--new PATH] [--all] [-- CHECK OPTIONS...]

`--new` is the build that is looked at (default: target/release/a2lint, else `a2lint` on the path);
`--old` is one to compare it with. Rows are rules and reasons for "not analysed", columns the number of
findings and of files; with two builds, what came, what went and what changed its severity is listed
by place. The exit status is 0 where both say the same (or there is one build), 1 where they differ,
2 where one of them cannot be run or fails.

Python 3.9 or later, nothing else.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

LISTED = 40


def options():
    parser = argparse.ArgumentParser(
        usage="%(prog)s FOLDER [--old PATH] [--new PATH] [--all] [-- CHECK OPTIONS...]",
        description="What one or two builds of a2lint say of a folder of kernels, as a table.",
    )
    parser.add_argument("folder", type=pathlib.Path, help="a folder of kernels, or one file")
    parser.add_argument("--new", metavar="PATH", help="the build that is looked at")
    parser.add_argument("--old", metavar="PATH", help="a build to compare it with")
    parser.add_argument("--all", action="store_true", help="list every difference")
    words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    args = parser.parse_args(words[:at])
    args.check = words[at + 1 :]
    return args


def fail(message):
    print(f"compare.py: {message}", file=sys.stderr)
    sys.exit(2)


def default_build():
    release = pathlib.Path(__file__).resolve().parents[2] / "target/release/a2lint"
    return str(release) if release.exists() else shutil.which("a2lint")


def check(build, folder, extra):
    """The JSON report of a build."""
    command = [build, "check", "--output-format", "json", *extra, str(folder)]
    try:
        # Builds are compared, not what they have found before.
        env = {**os.environ, "A2LINT_NO_CACHE": "1"}
        done = subprocess.run(command, capture_output=True, text=True, env=env)
    except OSError as error:
        fail(f"cannot run {build}: {error}")
    if done.stderr:
        print(done.stderr, file=sys.stderr, end="")
    try:
        return json.loads(done.stdout)
    except ValueError:
        fail(f"{build} ended with {done.returncode} and no report")


def kind(reason):
    """A reason without what names one file: quoted names and numbers."""
    return re.sub(r"(?<![\w.])\d[\d,]*", "N", re.sub(r"`[^`]*`", "`…`", reason))


class Report:
    """Findings and gaps of one build."""

    def __init__(self, raw):
        self.summary = raw["summary"]
        self.rows = collections.Counter()
        self.files = collections.defaultdict(set)
        self.findings = collections.Counter()
        for finding in raw["findings"]:
            row = f"{finding['code']}  {finding['name']}"
            self.count(row, finding["path"])
            self.findings[self.place(finding)] += 1
        for gap in raw["not_analysed"]:
            self.count(f"not analysed: {kind(gap['reason'])}", gap["path"])
            kernel = f"::{gap['kernel']}" if gap["kernel"] else ""
            self.findings[(gap["path"] + kernel, 0, "not analysed", gap["reason"])] += 1

    def count(self, row, path):
        self.rows[row] += 1
        self.files[row].add(path)

    @staticmethod
    def place(finding):
        line = finding["range"]["start"]["line"]
        what = f"{finding['severity']}[{finding['name']}]"
        return (finding["path"], line, what, finding["message"])

    def cells(self, row):
        return [str(self.rows[row]), str(len(self.files[row]))]


def table(head, rows):
    """Rows of text under a head, the first column to the left and the rest to the right."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    for row in [head, ["-" * width for width in widths], *rows]:
        first = row[0].ljust(widths[0])
        rest = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join([first, *rest]).rstrip())


def order(row):
    return (row.startswith("not analysed"), row)


def show_one(new):
    rows = [[row, *new.cells(row)] for row in sorted(new.rows, key=order)]
    table(["", "findings", "files"], rows + totals([new]))


def show_both(old, new):
    rows = []
    for row in sorted(old.rows.keys() | new.rows.keys(), key=order):
        change = new.rows[row] - old.rows[row]
        rows.append([row, *old.cells(row), *new.cells(row), f"{change:+}" if change else ""])
    table(["", "old", "files", "new", "files", "change"], rows + totals([old, new]))


def totals(reports):
    def row(name, key):
        cells = [[str(report.summary[key]), ""] for report in reports]
        change = [""] if len(reports) == 2 else []
        if len(reports) == 2 and key != "seconds":
            difference = reports[1].summary[key] - reports[0].summary[key]
            change = [f"{difference:+}" if difference else ""]
        return [name, *sum(cells, []), *change]

    names = ["files", "kernels", "analysed", "errors", "warnings"]
    return [row(f"total {name}", name) for name in names]


def show_changes(old, new, everything):
    """What is said by one build alone; whether there is any."""
    for sign, here, there in [("-", old, new), ("+", new, old)]:
        changed = sorted((here.findings - there.findings).elements())
        shown = changed if everything else changed[:LISTED]
        for path, line, what, message in shown:
            place = f"{path}:{line}" if line else path
            print(f"{sign} {place}: {what}: {message}")
        if len(shown) < len(changed):
            print(f"{sign} … and {len(changed) - len(shown)} more (--all)")
    return old.findings != new.findings


def main():
    args = options()
    build = args.new or default_build() or fail("no a2lint found; name one with --new")
    if not args.folder.exists():
        fail(f"{args.folder} is not there")
    new = Report(check(build, args.folder, args.check))
    if not args.old:
        show_one(new)
        return 0
    old = Report(check(args.old, args.folder, args.check))
    show_both(old, new)
    if old.findings != new.findings:
        print()
    return 1 if show_changes(old, new, args.all) else 0


if __name__ == "__main__":
    sys.exit(main())
