"""Check and run Ascend A2 kernels: a static checker and a simulator in one package.

>>> import a2lint
>>> report = a2lint.check("kernel.py")          # nothing of the file is executed
>>> result = a2lint.kernel("kernel.py").run(x, y, 128)
>>> result["y"]                                 # an array, or a tensor where tensors were given
"""

import importlib

from ._core import version as __version__
from ._errors import A2LintError, ArgumentError, KernelError, KernelWarning, MismatchError
from ._kernel import Kernel, Parameter, Result, kernel, kernels
from ._report import Comparison, Finding, KernelReport, LawReport, Report, check, compare, explain, test

__all__ = [
    "A2LintError",
    "ArgumentError",
    "Comparison",
    "Finding",
    "Kernel",
    "KernelError",
    "KernelReport",
    "KernelWarning",
    "LawReport",
    "MismatchError",
    "Parameter",
    "Report",
    "Result",
    "__version__",
    "check",
    "compare",
    "explain",
    "kernel",
    "kernels",
    "test",
    "testing",
]


def __getattr__(name):
    """Imports `a2lint.testing` at its first use: checking needs none of it."""
    if name == "testing":
        return importlib.import_module(".testing", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
