"""Stand-ins for the runtimes of both dialects.

A module of a stand-in has every name of the dialect. Most are placeholders: they exist so that a file can be
imported, and what kernels do with them is read from the text, never executed. Decorators make kernels,
`OpExec` runs them.
"""

from __future__ import annotations

import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import os
import sys
import types
import warnings
from typing import Any, Optional

import numpy as np

from . import _arrays, _core
from ._errors import ArgumentError, KernelError, KernelWarning
from ._kernel import Kernel, Result, _open

DEVICES = {"a2": "b3", "a3": "a3"}

class Placeholder:
    """Something of a dialect that host code mentions and does not need."""

    def __init__(self, name: str):
        self.__name__ = name
        self._known: dict = {}

    def __repr__(self) -> str:
        return self.__name__

    def __getattr__(self, name: str) -> "Placeholder":
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._known.setdefault(name, Placeholder(name))

    def __call__(self, *args, **kwargs):
        # As a decorator it leaves what it decorates.
        if len(args) == 1 and not kwargs and isinstance(args[0], types.FunctionType):
            return args[0]
        return Placeholder(f"{self.__name__}(…)")

    def __getitem__(self, key) -> "Placeholder":
        return Placeholder(f"{self.__name__}[…]")

    def __enter__(self) -> "Placeholder":
        return self

    def __exit__(self, *exception) -> None:
        return None

    def _combined(self, *others) -> "Placeholder":
        return Placeholder("…")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _combined
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __or__ = __ror__ = __and__ = __rand__ = _combined
    __lshift__ = __rshift__ = __neg__ = __pos__ = __abs__ = _combined


def ceil_div(a, b):
    return -(-a // b) if isinstance(a, int) and isinstance(b, int) else Placeholder("CeilDiv(…)")


def host_value(value: Any = None, *args, **kwargs):
    """`GMTensor(x)` and `Var(n)` in host code stand for what they are given."""
    return Placeholder("…") if value is None else value


def unrolled(*args):
    return range(*args) if all(isinstance(arg, int) for arg in args) else ()


def smaller(a, *rest):
    numbers = all(isinstance(value, (int, float)) for value in (a, *rest))
    return min(a, *rest) if numbers else Placeholder("Min(…)")


def larger(a, *rest):
    numbers = all(isinstance(value, (int, float)) for value in (a, *rest))
    return max(a, *rest) if numbers else Placeholder("Max(…)")


class Session:
    """What was run."""

    def __init__(self, keep_going: bool, quiet: bool):
        self.keep_going = keep_going
        self.quiet = quiet
        self.failed = False
        self.launches = 0
        self.findings: dict = {}
        self._files: dict = {}

    def kernel_of(self, function: types.FunctionType) -> Kernel:
        """The kernel that a function is, as the text says."""
        path = os.path.abspath(function.__code__.co_filename)
        if path not in self._files:
            self._files[path] = _open(_shown(path), None)
        found, missing = self._files[path]
        first = function.__code__.co_firstlineno
        at = _definition_line(function)
        candidates = [kernel for kernel in found if kernel.line == at]
        if len(candidates) > 1:
            candidates = [kernel for kernel in candidates if _is_instance(kernel.name, function)]
        if len(candidates) == 1:
            return candidates[0]
        name = function.__name__
        place = f"{_shown(path)}:{first}"
        if candidates:
            names = ", ".join(kernel.name for kernel in candidates)
            raise ArgumentError(f"{place}: the text does not tell which of these `{name}` is: {names}")
        for kernel, reason in missing:
            if kernel is None or kernel.split("[")[0] == name:
                raise ArgumentError(f"{place}: `{name}` cannot be run: {reason}")
        raise ArgumentError(f"{place}: no kernel `{name}` is found in the text")

    def record(self, result: Result, checked: Optional[KernelError]) -> None:
        self.launches += 1
        for finding in result.findings:
            place = (finding.path, finding.line, finding.name)
            if place not in self.findings:
                self.findings[place] = finding
                print(f"a2lint: {finding}", file=sys.stderr)
        if checked is not None:
            self.failed = True
            if not self.keep_going:
                raise checked
            if result.end != "finished":
                print(f"a2lint: {checked}", file=sys.stderr)

    def conclude(self) -> None:
        if self.quiet and not self.findings:
            return
        count = len(self.findings)
        launches = f"{self.launches} launch{'' if self.launches == 1 else 'es'}"
        findings = f"{count} finding{'' if count == 1 else 's'}" if count else "no findings"
        if self.failed and not count:
            findings = "then an error"
        print(f"a2lint: {launches} on the embedded machine, {findings}", file=sys.stderr)


SESSION: Optional[Session] = None


def _shown(path: str) -> str:
    below = os.path.relpath(path)
    return path if below.startswith("..") else below


def _definition_line(function: types.FunctionType) -> int:
    """The line of `def`: the code of a decorated function begins with its first decorator."""
    first = function.__code__.co_firstlineno
    try:
        lines, _ = inspect.findsource(function)
    except OSError:
        return first
    for number in range(first, len(lines) + 1):
        words = lines[number - 1].split()
        if words and (words[0] == "def" or words[:2] == ["async", "def"]):
            return number
    return first


def _is_instance(name: str, function: types.FunctionType) -> bool:
    """Whether `factory[T=64, dtype=half]` is the instance that a function closes over."""
    inside = name.partition("[")[2][:-1]
    known = inspect.getclosurevars(function).nonlocals
    texts = {f"{key}={_text(value)}" for key, value in known.items()}
    wanted = _split(inside)
    told = [part for part in wanted if part.partition("=")[0] in known]
    return bool(told) and all(part in texts for part in told)


def _split(text: str) -> list:
    """Parts between commas that no bracket encloses."""
    parts, depth = [""], 0
    for letter in text:
        depth += letter in "([{"
        depth -= letter in ")]}"
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _text(value: Any) -> str:
    text = str(value)
    if text.startswith("torch."):
        return _arrays.DTYPES.get(text[len("torch."):], text)
    return text


class KernelFunction:
    """A function that a kernel decorator was applied to."""

    def __init__(self, function: types.FunctionType, block_dim: Optional[int]):
        self.function = function
        self.block_dim = block_dim
        self._kernel: Optional[Kernel] = None
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.__wrapped__ = function

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}>"

    @property
    def kernel(self) -> Kernel:
        if self._kernel is None:
            self._kernel = SESSION.kernel_of(self.function)
        return self._kernel

    def __call__(self, *args, **kwargs):
        return OpExec(self)(*args, **kwargs)


def kernel_decorator(*args, **kwargs):
    """`@kernel`, `@kernel()` and `@kernel(mode="vec", block_dim=8)`."""
    block_dim = kwargs.get("block_dim")
    make = lambda function: KernelFunction(function, block_dim if isinstance(block_dim, int) else None)
    if len(args) == 1 and isinstance(args[0], types.FunctionType):
        return make(args[0])
    return make


class OpExec:
    """`OpExec(kernel, …)(tensors…, scalars…)`: options that only say where to run are accepted."""

    def __init__(self, kernel, *args, block_dim=None, device=None, seed_outputs=False, **options):
        if isinstance(kernel, types.FunctionType):
            kernel = KernelFunction(kernel, None)
        if not isinstance(kernel, KernelFunction):
            raise ArgumentError(f"OpExec takes a kernel, not {kernel!r}")
        self.kernel = kernel
        self.block_dim = block_dim
        self.device = DEVICES.get(device, device)
        self.seed_outputs = bool(seed_outputs)

    def build(self, *args, **kwargs) -> "OpExec":
        return self

    def __call__(self, *args, **kwargs):
        kernel = self.kernel.kernel
        given = {parameter.name: value for parameter, value in kernel._bound(args, kwargs)}
        raised = None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KernelWarning)
            try:
                result = kernel.run(
                    **given,
                    cores=self.block_dim,
                    device=self.device,
                    seed_outputs=self.seed_outputs,
                )
            except KernelError as error:
                raised, result = error, error.result
        SESSION.record(result, raised)
        outputs = [_filled(given.get(name), result[name]) for name in kernel.outputs]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)


def _filled(given, computed):
    """The caller's tensor with what was computed."""
    if given is None:
        return computed
    if _arrays.is_torch(given):
        given.detach().copy_(computed)
    elif isinstance(given, np.ndarray):
        given[...] = computed.view(given.dtype)
    else:
        return computed
    return given


REAL = {
    "kernel": kernel_decorator,
    "OpExec": OpExec,
    "CeilDiv": ceil_div,
    "GMTensor": host_value,
    "Var": host_value,
    "unroll": unrolled,
    "Min": smaller,
    "Max": larger,
}
"""What has a meaning in host code."""


class StandIn(types.ModuleType):
    """A module of a dialect's runtime."""

    def __init__(self, name: str):
        super().__init__(name)
        dialect = name.split(".")[0]
        self.__path__: list = []
        names = _core.names(dialect)
        for known in names:
            setattr(self, known, self._meaning(known))
        self.OpExec = OpExec
        self.__all__ = [known for known in names if known.isidentifier()]
        if dialect == "easyasc":
            self.__all__.append("OpExec")

    def __getattr__(self, name: str):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        value = self._meaning(name)
        setattr(self, name, value)
        return value

    @staticmethod
    def _meaning(name: str):
        if name in REAL:
            return REAL[name]
        # `range` of a facade is that of Python in host code.
        if hasattr(builtins, name):
            return getattr(builtins, name)
        return Placeholder(name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the stand-ins in place of the runtimes."""

    ROOTS = ("easyasc", "ascriptor")

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.ROOTS:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        if name == "torch_npu" and _is_missing(self, name):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        if spec.name == "torch_npu":
            return StandInDevice(spec.name)
        return StandIn(spec.name)

    def exec_module(self, module):
        _patch_torch()


class StandInDevice(types.ModuleType):
    """`torch_npu` where there is none."""

    def __getattr__(self, name: str):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Placeholder(name)


def _is_missing(finder: Finder, name: str) -> bool:
    others = [other for other in sys.meta_path if other is not finder]
    return all(other.find_spec(name, None) is None for other in others if hasattr(other, "find_spec"))


def _patch_torch() -> None:
    """`.npu()` leaves a tensor where it is, on a machine without such a device."""
    torch = sys.modules.get("torch")
    if torch is None or hasattr(torch.Tensor, "npu"):
        return
    torch.Tensor.npu = lambda tensor, *args, **kwargs: tensor
    if not hasattr(torch, "npu"):
        torch.npu = StandInDevice("torch.npu")


def install(keep_going: bool = False, quiet: bool = False) -> Session:
    """Puts the stand-ins in place of the runtimes, for the rest of the process."""
    global SESSION
    SESSION = Session(keep_going, quiet)
    sys.meta_path.insert(0, Finder())
    return SESSION
