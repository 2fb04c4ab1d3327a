"""What can go wrong."""

from __future__ import annotations


class A2LintError(Exception):
    """Anything that a2lint raises."""


class ArgumentError(A2LintError, ValueError):
    """A file, a kernel, an option or an argument that cannot be used."""


class KernelError(A2LintError):
    """A kernel that did not run as it should; the text is that of the findings. `result` has the rest."""

    def __init__(self, message: str, result=None):
        super().__init__(message)
        self.result = result


class MismatchError(A2LintError, AssertionError):
    """A result that is not as expected. `result` has the run, with its findings."""

    def __init__(self, message: str, result=None):
        super().__init__(message)
        self.result = result


class KernelWarning(UserWarning):
    """Findings of a run that are no errors."""
