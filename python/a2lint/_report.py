"""Checking, and what comes of it."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _core
from ._errors import ArgumentError


@dataclass(frozen=True)
class Finding:
    """One finding of the checker, or of a run."""

    code: str
    name: str
    severity: str
    confidence: str
    message: str
    path: str
    line: int
    column: int
    kernel: Optional[str] = None
    help: Optional[str] = None
    witness: Optional[Mapping[str, Any]] = None
    data: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The JSON object of `a2lint check`."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Finding":
        start = data["range"]["start"]
        return cls(
            code=data["code"],
            name=data["name"],
            severity=data["severity"],
            confidence=data["confidence"],
            message=data["message"],
            path=data["path"],
            line=start["line"],
            column=start["column"],
            kernel=data.get("kernel"),
            help=data.get("help"),
            witness=data.get("witness"),
            data=data,
        )

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}"
        return f"{place}: {self.severity}[{self.name}]: {self.message}"

    def _repr_html_(self) -> str:
        return findings_table([self])


@dataclass(frozen=True)
class KernelReport:
    """What is known of a kernel: for each property, what was found, proved, tested, or why nobody knows."""

    name: str
    path: str
    data: Mapping[str, Any] = field(repr=False)

    @property
    def verdicts(self) -> Mapping[str, str]:
        """The status of each property by its name."""
        return {entry["property"]: entry["status"] for entry in self.data.get("verdicts", [])}


class Report:
    """What a check came to."""

    def __init__(self, checked: _core.Checked):
        self._checked = checked
        self.data: Mapping[str, Any] = json.loads(checked.json)
        self.findings = [Finding.from_json(entry) for entry in self.data["findings"]]
        self.kernels = [
            KernelReport(entry.get("kernel") or entry.get("name", ""), entry.get("path", ""), entry)
            for entry in self.data.get("kernels", [])
        ]
        self.not_analysed = list(self.data["not_analysed"])

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def warnings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "warning"]

    @property
    def ok(self) -> bool:
        """Whether there is no error. What was not looked at is in `text` and `not_analysed`."""
        return not self.errors

    @property
    def text(self) -> str:
        """The report for people."""
        return self._checked.text

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        """A report is there, whether it has findings or not; `ok` says whether it has errors."""
        return True

    def __repr__(self) -> str:
        return self.text.rstrip()

    def _repr_html_(self) -> str:
        return findings_table(self.findings) + f"<pre>{html.escape(_last_lines(self.text))}</pre>"


def _last_lines(text: str) -> str:
    return text.rstrip().rsplit("\n\n", 1)[-1]


def findings_table(findings: Sequence[Finding]) -> str:
    """A table for notebooks."""
    if not findings:
        return ""
    rows = []
    for finding in findings:
        place = f"{finding.path}:{finding.line}"
        cells = [finding.severity, finding.name, place, finding.message, finding.help or ""]
        rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{word}</th>" for word in ("severity", "rule", "place", "message", "help"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def check(path: Union[str, os.PathLike, None] = None, *, source: Optional[str] = None, **settings) -> Report:
    """Checks a file, a folder, or the text `source` as if it stood at `path`. Nothing is executed.

    `path` that has more than one line is taken for a text. Settings are the options of `a2lint check`
    with underscores: `select=["CAP"]`, `device="b3"`, `bind={"M": 128}`, `replay=False`,
    `pedantic=True`, `config="a2lint.toml"`.
    """
    if path is not None and source is None and "\n" in os.fspath(path):
        path, source = None, os.fspath(path)
    if path is None:
        if source is None:
            raise ArgumentError("check needs a path or a source")
        path = "kernel.py"
    try:
        checked = _core.check(os.fspath(path), source, _options(settings))
    except ValueError as error:
        raise ArgumentError(str(error).strip()) from None
    report = Report(checked)
    if checked.complaints and not report.data["summary"]["files"]:
        raise ArgumentError("; ".join(checked.complaints))
    return report


class LawReport:
    """What came of the laws for a kernel, or for all kernels of a file."""

    def __init__(self, tested: _core.Tested):
        self._tested = tested
        self.data: Mapping[str, Any] = json.loads(tested.json)
        """The JSON object of `a2lint test --json`."""

    @property
    def text(self) -> str:
        """The report for people."""
        return self._tested.text

    @property
    def violated(self) -> bool:
        """Whether a law is violated. That none is, is no proof."""
        return self._tested.violated

    @property
    def untried(self) -> bool:
        """Whether no law could be tried on some kernel."""
        return self._tested.untried

    def __repr__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return not self.violated and not self.untried


def test(path: Union[str, os.PathLike], kernel: Optional[str] = None, **settings) -> LawReport:
    """Tries laws that hold whatever a kernel computes, with the launches of its file: no reference is needed.

    Settings are the options of `a2lint test` with underscores: `law=["cores", "order"]`, `schedules=100`,
    `seed=3`, `bind={"M": 128}`, `numerics=True`, `max_seconds=20`.
    """
    target = os.fspath(path) if kernel is None else f"{os.fspath(path)}::{kernel}"
    try:
        return LawReport(_core.test(target, _options(settings)))
    except ValueError as error:
        raise ArgumentError(str(error).strip()) from None


# Test runners take it for a test of theirs where it is imported.
test.__test__ = False


class Comparison:
    """Whether a new version of a kernel computes the same, and is as good."""

    def __init__(self, compared: _core.Compared):
        self._compared = compared
        self.data: Mapping[str, Any] = json.loads(compared.json)
        """The JSON object of `a2lint compare --json`."""

    @property
    def text(self) -> str:
        """The report for people; its first line is the answer."""
        return self._compared.text

    @property
    def page(self) -> str:
        """A page of HTML with both versions side by side."""
        return self._compared.page

    @property
    def as_good(self) -> bool:
        """Whether NEW has the same results, no proof less and no finding more, in all that could be compared."""
        return self._compared.as_good

    def __repr__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return self.as_good


def compare(old: Union[str, os.PathLike], new: Union[str, os.PathLike], **settings) -> Comparison:
    """Compares two versions of a kernel, in files of the same or another language, on the embedded machine.

    `old` and `new` are paths, followed by `::kernel` where a file has several. Settings are the options of
    `a2lint compare` with underscores: `match=["x=src"]`, `only=["y"]`, `seeds=5`, `bind={"M": 128}`, `max_seconds=20`.
    """
    try:
        return Comparison(_core.compare(os.fspath(old), os.fspath(new), _options(settings)))
    except ValueError as error:
        raise ArgumentError(str(error).strip()) from None


def _options(settings: Mapping[str, Any]) -> list[str]:
    options = []
    for name, value in settings.items():
        option = "--" + name.replace("_", "-")
        if name == "replay":
            option, value = "--no-replay", not value
        if name == "bind":
            value = [f"{key}={number!r}" for key, number in dict(value).items()]
        if value is None or value is False:
            continue
        if value is True:
            options.append(option)
            continue
        values = [value] if isinstance(value, (str, os.PathLike, int, float)) else list(value)
        options.extend(f"{option}={entry}" for entry in values)
    return options


def explain(rule: str) -> str:
    """The documentation of a rule, by name or code, as Markdown."""
    text = _core.explain(rule)
    if text is None:
        raise ArgumentError(f"no rule is called `{rule}`")
    return text
