"""The pytest plugin: `--a2lint` runs the launches of kernels, `--a2lint-check` checks their files,
`--a2lint-laws` tries laws on them, and the fixture `a2` gives tests what they need."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("a2lint")
    group.addoption("--a2lint", action="store_true", help="collect kernels, and run their launches on the machine")
    group.addoption("--a2lint-check", action="store_true", help="check the files of collected kernels")
    group.addoption("--a2lint-laws", action="store_true", help="try laws on collected kernels, as a2lint test does")


def _is_asked(options) -> bool:
    return options.a2lint or options.a2lint_check or options.a2lint_laws


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "a2lint: kernels that --a2lint, --a2lint-check and --a2lint-laws collect")


def pytest_collect_file(file_path: Path, parent: pytest.Collector):
    options = parent.config.option
    if file_path.suffix != ".py" or not _is_asked(options):
        return None
    try:
        text = file_path.read_bytes()
    except OSError:
        return None
    if b"easyasc" not in text and b"ascriptor" not in text:
        return None
    return KernelFile.from_parent(parent, path=file_path)


class _Unimported(pytest.Module):
    """A kernel file that is named on the command line: pytest would import it as tests."""

    def collect(self):
        return []


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector):
    options = parent.config.option
    is_test = module_path.name.startswith("test_") or module_path.stem.endswith("_test")
    if is_test or not _is_asked(options):
        return None
    text = module_path.read_bytes()
    if b"easyasc" not in text and b"ascriptor" not in text:
        return None
    return _Unimported.from_parent(parent, path=module_path)


class KernelFile(pytest.File):
    """A file with kernels. It is read, not imported."""

    def collect(self):
        import a2lint

        options = self.config.option
        if options.a2lint_check:
            yield CheckItem.from_parent(self, name="check")
        if not (options.a2lint or options.a2lint_laws):
            return
        for kernel in a2lint.kernels(self.path):
            if options.a2lint_laws:
                yield LawItem.from_parent(self, name=f"{kernel.name}[laws]", kernel=kernel)
            if not options.a2lint:
                continue
            for number in range(1, kernel.launches + 1):
                yield LaunchItem.from_parent(self, name=f"{kernel.name}[{number}]", kernel=kernel, number=number)
            if not kernel.launches:
                yield LaunchItem.from_parent(self, name=kernel.name, kernel=kernel, number=0)


class A2Item(pytest.Item):
    """Something that is not Python's to run."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.add_marker("a2lint")

    def repr_failure(self, excinfo, style=None):
        import a2lint

        if isinstance(excinfo.value, a2lint.A2LintError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        return self.path, 0, f"{self.parent.name}::{self.name}"


class CheckItem(A2Item):
    """A file that is checked."""

    def runtest(self) -> None:
        import a2lint

        report = a2lint.check(self.path)
        if report.errors:
            raise a2lint.KernelError(report.text.rstrip(), report)
        self.add_report_section("call", "a2lint", report.text)


class LawItem(A2Item):
    """A kernel that laws are tried on."""

    def __init__(self, *, kernel, **kwargs):
        super().__init__(**kwargs)
        self.kernel = kernel

    def runtest(self) -> None:
        import a2lint

        report = a2lint.test(self.path, self.kernel.name)
        if report.violated:
            raise a2lint.KernelError(report.text.rstrip(), report)
        if report.untried:
            pytest.skip("no law could be tried")
        self.add_report_section("call", "a2lint", report.text)

    def reportinfo(self):
        return self.path, self.kernel.line - 1, f"{self.parent.name}::{self.name}"


class LaunchItem(A2Item):
    """A launch of a kernel."""

    def __init__(self, *, kernel, number: int, **kwargs):
        super().__init__(**kwargs)
        self.kernel = kernel
        self.number = number

    def runtest(self) -> None:
        if not self.number:
            pytest.skip("no launch of this kernel is in sight")
        self.kernel.run(launch=self.number)

    def reportinfo(self):
        return self.path, self.kernel.line - 1, f"{self.parent.name}::{self.name}"


class A2:
    """What tests need: `kernel`, `check` and `assert_matches`, with paths from the folder of the test."""

    def __init__(self, folder: Path, root: Path):
        self._folder = folder
        self._root = root

    def _path(self, path: Any) -> str:
        """A path from the folder of the test; what is not there is looked for in the root folder."""
        path = os.fspath(path)
        file = path.partition("::")[0]
        below = self._folder if (self._folder / file).exists() else self._root
        return path if os.path.isabs(path) else os.path.join(below, path)

    def kernel(self, path, name=None, **options):
        import a2lint

        return a2lint.kernel(self._path(path), name, **options)

    def check(self, path=None, **settings):
        import a2lint

        if path is not None and "\n" not in os.fspath(path):
            path = self._path(path)
        return a2lint.check(path, **settings)

    def assert_matches(self, kernel, reference, cases, rtol=None, atol=None, **options):
        from a2lint.testing import assert_matches

        __tracebackhide__ = True
        if isinstance(kernel, (str, os.PathLike)):
            kernel = self.kernel(kernel)
        return assert_matches(kernel, reference, cases, rtol, atol, **options)


@pytest.fixture
def a2(request: pytest.FixtureRequest) -> A2:
    """Kernels of files beside the test."""
    return A2(request.path.parent, request.config.rootpath)
