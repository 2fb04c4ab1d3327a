"""Kernels against references, in any test framework."""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any, Callable, Iterable, Mapping, Optional, Union

from . import _arrays
from ._errors import ArgumentError, KernelError, KernelWarning, MismatchError
from ._kernel import Kernel, Result
from ._kernel import kernel as _kernel

__all__ = ["assert_matches"]


def assert_matches(
    kernel: Union[Kernel, str, os.PathLike],
    reference: Callable[..., Any],
    cases: Iterable[Mapping[str, Any]],
    rtol: Optional[float] = None,
    atol: Optional[float] = None,
    exact: bool = False,
    **options: Any,
) -> list[Result]:
    """Runs a kernel for each case and compares what it returns with a reference.

    A case has the arguments by name. `reference` is called with those of them that it takes, and returns
    the output, or several as a tuple or by name. Without tolerances they depend on the type of the output:
    half 1e-3, bfloat16 1e-2, float 1e-4 relative, integers exactly. Further options go to `Kernel.run`.

    With `exact`, the reference is called with the floats of the case in float64, and compared at 1e-9 with what the
    kernel computes without rounding: a wrong constant or row shows, and rounding does not.

    The first case that differs raises `MismatchError`, whose text says by how much, which statement wrote
    the first wrong element and what that was computed from. Errors in a run raise `KernelError`.
    """
    __tracebackhide__ = True
    if not isinstance(kernel, Kernel):
        kernel = _kernel(kernel)
    results = []
    for number, case in enumerate(cases):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KernelWarning)
            result = kernel.run(**{**options, **case, "check": False, "exact": exact})
        given = {name: _arrays.doubles(value) for name, value in case.items()} if exact else case
        wanted = _by_name(kernel, _called(reference, given))
        agreed = [result.compare(name, value, rtol, atol) for name, value in wanted.items()]
        where = f"{kernel.name}, case {number} ({_described(case)})"
        if not all(agreed):
            raise MismatchError(f"{where}:\n{result.failure.rstrip()}", result)
        errors, _, _ = result._ran.counts
        if errors or result.end != "finished":
            raise KernelError(f"{where}:\n{result.failure.rstrip()}", result)
        results.append(result)
    if not results:
        raise ArgumentError("assert_matches needs at least one case")
    return results


def _called(reference: Callable[..., Any], case: Mapping[str, Any]) -> Any:
    """What the reference makes of the arguments that it takes."""
    parameters = inspect.signature(reference).parameters.values()
    if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        return reference(**case)
    named = {parameter.name for parameter in parameters}
    return reference(**{name: value for name, value in case.items() if name in named})


def _by_name(kernel: Kernel, value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    values = value if isinstance(value, (tuple, list)) else (value,)
    if len(values) != len(kernel.outputs):
        raise ArgumentError(
            f"the reference returns {len(values)} values, and {kernel.name} {', '.join(kernel.outputs)}"
        )
    return dict(zip(kernel.outputs, values))


def _described(case: Mapping[str, Any]) -> str:
    """The arguments, tensors by type and shape."""
    parts = []
    for name, value in case.items():
        shape = getattr(value, "shape", None)
        text = repr(value) if shape is None else f"{value.dtype}{list(shape)}"
        parts.append(f"{name}={text}")
    return ", ".join(parts)
