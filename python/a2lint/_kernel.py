"""Running kernels on the embedded machine."""

from __future__ import annotations

import html
import json
import os
import sys
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from . import _arrays, _core
from ._errors import ArgumentError, KernelError, KernelWarning
from ._report import Finding, findings_table


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel."""

    name: str
    kind: str
    """`tensor`, `scalar` or `other`."""
    dtype: Optional[str]
    """The element type, where the kernel declares one."""
    is_output: bool
    """Whether the kernel returns it: its contents are undefined when the kernel starts."""
    rank: Optional[int]


class Result(Mapping):
    """What a run came to: a mapping from the names of outputs to arrays."""

    def __init__(self, kernel: "Kernel", ran: _core.Ran, like: Optional[str]):
        self.kernel = kernel
        self._ran = ran
        self._like = like
        self._tensors: dict = {}
        self._data: Optional[Mapping[str, Any]] = None

    def __getitem__(self, name: str):
        """A tensor as the run left it: an output, another parameter, or a workspace."""
        if name not in self._tensors:
            try:
                dtype, shape, data, undefined = self._ran.tensor(name)
            except ValueError as error:
                raise KeyError(str(error)) from None
            self._tensors[name] = _arrays.returned(dtype, shape, data, self._like)
        return self._tensors[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.kernel.outputs)

    def __len__(self) -> int:
        return len(self.kernel.outputs)

    def undefined(self, name: str):
        """Which elements of a tensor nothing has written, as an array of booleans."""
        shape, flags = self._ran.undefined(name)
        return flags.view(bool).reshape(shape)

    @property
    def data(self) -> Mapping[str, Any]:
        """The JSON object of `a2lint run --json`."""
        if self._data is None:
            self._data = json.loads(self._ran.json())
        return self._data

    @property
    def findings(self) -> Sequence[Finding]:
        if not any(self._ran.counts):
            return []
        return [Finding.from_json(entry) for entry in self.data["findings"]]

    @property
    def cost(self) -> Mapping[str, Any]:
        """What the kernel takes on the device, by the cost model: `cycles`, `microseconds`, `bound`, …"""
        return self.data["cost"]

    @property
    def dumps(self) -> Mapping[str, Any]:
        """The values that were asked for with `dumps=[…]`, as arrays; `None` where one never executed."""
        import numpy as np

        found = {}
        for entry in self.data["dumps"]:
            values = entry.get("values")
            array = None
            if values is not None:
                numbers = [float("nan") if value is None else float(value) for value in values]
                rows = entry["shape"]
                array = np.array(numbers)
                if array.size == rows[0] * rows[1]:
                    array = array.reshape(rows)
            found[f"{entry['name']}@{entry['line']}"] = array
        return found

    @property
    def end(self) -> str:
        """How it ended: `finished`, `deadlock`, `budget`, `refused` or `cancelled`."""
        return self._ran.end

    @property
    def ok(self) -> bool:
        """Whether the kernel came to its end without a finding or a doubt."""
        return self.end == "finished" and not any(self._ran.counts) and self._ran.doubt is None

    @property
    def text(self) -> str:
        """The report for people, comparisons included."""
        return self._ran.text()

    @property
    def failure(self) -> str:
        """What is wrong with it: comparisons that disagree, findings, a deadlock. Empty where all is well."""
        return self._ran.failure()

    def compare(self, name: str, expected, rtol: Optional[float] = None, atol: Optional[float] = None) -> bool:
        """Compares a tensor with what it is expected to be; where it differs, `text` says how, and which
        statements wrote the first wrong element."""
        try:
            return self._ran.compare(name, _arrays.expected(expected, name), rtol, atol)
        except ValueError as error:
            raise ArgumentError(str(error)) from None

    def __repr__(self) -> str:
        return self.text.rstrip()

    def _repr_html_(self) -> str:
        rows = []
        for entry in self.data["outputs"]:
            cells = [entry["name"], f"{entry['dtype']} {entry['shape']}"]
            cells += [str(entry[key]) for key in ("min", "max", "mean", "nan", "undefined")]
            rows.append("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>")
        words = ("output", "type", "min", "max", "mean", "NaN", "undefined")
        head = "".join(f"<th>{word}</th>" for word in words)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        cost = self.cost
        line = f"{self.kernel.name}: {self.end}, {cost['microseconds']:.1f} µs by the cost model"
        return f"<p>{html.escape(line)}</p>{table}{findings_table(self.findings)}"


class Kernel:
    """A kernel of a file. It is read from the text: nothing of the file is executed."""

    def __init__(self, file: _core.File, index: int, path: str, described: tuple):
        self._file = file
        self._index = index
        self.path = path
        self.name, self.line, params, self.workspaces, self.outputs = described
        self.parameters = [Parameter(*param) for param in params]

    def __repr__(self) -> str:
        names = ", ".join(parameter.name for parameter in self.parameters)
        return f"<kernel {self.name}({names}) of {self.path}:{self.line}>"

    @property
    def launches(self) -> int:
        """How many launches of it are in sight, in its file and in those that import it."""
        return self._file.launches(self._index)

    def __call__(self, *args, **kwargs) -> Result:
        return self.run(*args, **kwargs)

    def run(
        self,
        *args,
        launch: Union[int, None] = None,
        cores: Optional[int] = None,
        device: Optional[str] = None,
        dumps: Sequence[str] = (),
        seed_outputs: bool = False,
        exact: bool = False,
        check: bool = True,
        max_instructions: Optional[int] = None,
        max_seconds: Optional[float] = None,
        max_memory: Optional[int] = None,
        progress: Union[bool, Callable[[int, int, int], None], None] = None,
        **kwargs,
    ) -> Result:
        """Runs the kernel with these arguments, by position or by name.

        Tensors are arrays of NumPy or tensors of torch. Those that the kernel returns give shape and type
        alone, and may be left out; with `seed_outputs` they start with their contents. Without any
        argument the first launch in the file that has something to work on is used, and `launch=2` takes
        the second one. The fields of a structure are a mapping: `tiling=dict(rows=8)`, or `**{"tiling.rows": 8}`.

        With `exact`, the run follows the exact value of every float beside it, and `Result.compare` compares
        those with a reference in float64: what differs is the algorithm, not its rounding.

        With `check`, errors among the findings, a deadlock or an exhausted limit raise `KernelError`, and
        other findings are a `KernelWarning`.
        """
        scalars, floats, tensors, shapes, like = self._arguments(args, kwargs, seed_outputs)
        if launch is None and (args or kwargs):
            chosen = None
        else:
            chosen = str(launch) if launch is not None else "first"
        told = _progress(progress)
        try:
            ran = self._file.run(
                self._index,
                scalars,
                floats,
                tensors,
                shapes,
                launch=chosen,
                cores=cores,
                device=device,
                dumps=list(dumps),
                exact=exact,
                max_instructions=max_instructions,
                max_seconds=max_seconds,
                max_memory=max_memory,
                progress=told,
            )
        except ValueError as error:
            raise ArgumentError(str(error)) from None
        finally:
            if told is not None and hasattr(told, "close"):
                told.close()
        result = Result(self, ran, like)
        if check:
            _raise(result)
        return result

    def _arguments(self, args: tuple, kwargs: dict, seed_outputs: bool):
        scalars, floats, tensors, shapes = [], [], [], []
        like = None
        for parameter, value in self._bound(args, kwargs):
            name = parameter.name
            if parameter.kind != "tensor":
                value, is_float = _arrays.number(value, name)
                scalars.append((name, value))
                if is_float:
                    floats.append(name)
                continue
            if not _arrays.is_tensor(value):
                raise ArgumentError(f"`{name}` of {self.name} is a tensor, not {value!r}")
            if _arrays.is_torch(value):
                like = "torch"
            array, dtype = _arrays.as_numpy(value, name)
            is_bits = dtype == "uint16" and parameter.dtype == "bfloat16"
            if parameter.dtype not in (None, dtype) and not is_bits:
                raise ArgumentError(
                    f"`{name}` of {self.name} has elements of type {parameter.dtype}, not {dtype}"
                )
            if parameter.is_output and not seed_outputs:
                shapes.append((name, parameter.dtype or dtype, list(array.shape)))
            else:
                tensors.append((name, _arrays.given(array, dtype)))
        return scalars, floats, tensors, shapes, like

    def _bound(self, args: tuple, kwargs: dict):
        """Parameters with their values: tensors and scalars in their order, then what is given by name."""
        kwargs = _flat(kwargs)
        values = []
        for value in args:
            values.extend(value) if isinstance(value, (list, tuple)) else values.append(value)
        waiting = [parameter for parameter in self.parameters if parameter.name not in kwargs]
        tensors = [parameter for parameter in waiting if parameter.kind == "tensor"]
        others = [parameter for parameter in waiting if parameter.kind != "tensor"]
        for value in values:
            is_tensor = _arrays.is_tensor(value) and getattr(value, "ndim", 1) > 0
            # A tensor of one element may be a scalar where no tensor is wanted.
            queue = tensors if is_tensor or (_arrays.is_tensor(value) and not others) else others
            if not queue:
                kind = "tensors" if is_tensor else "scalars"
                raise ArgumentError(f"{self!r} takes fewer {kind}")
            yield queue.pop(0), value
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in kwargs.items():
            # A name that is no parameter may be that of an extent; the library says if it is neither.
            parameter = known.get(name) or Parameter(name, "scalar", None, False, None)
            yield parameter, value


def _flat(given: Mapping[str, Any], of: str = "") -> dict:
    """Arguments by name, with the fields of a structure as `tiling.rows`."""
    flat = {}
    for key, value in given.items():
        name = f"{of}{key}"
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{name}."))
        else:
            flat[name] = value
    return flat


def _raise(result: Result) -> None:
    errors, others, _ = result._ran.counts
    end, doubt = result.end, result._ran.doubt
    if end == "finished" and not errors and not others and doubt is None:
        return
    if end != "finished" or errors:
        raise KernelError(_complaint(result), result)
    lines = [str(finding) for finding in result.findings]
    if doubt is not None:
        lines.append(f"{result.kernel.name}: the values may not be those of the device: {doubt}")
    warnings.warn("\n".join(lines), KernelWarning, stacklevel=4)


def _complaint(result: Result) -> str:
    lines = [str(finding) for finding in result.findings]
    if result.end != "finished":
        lines.append(f"{result.kernel.name}: {result._ran.ending().rstrip()}")
    return "\n".join(lines)


class _Line:
    """A line on standard error that says how far a long run is."""

    def __init__(self):
        self._is_shown = False

    def __call__(self, instructions: int, finished: int, cores: int) -> None:
        done = 24 * finished // max(cores, 1)
        bar = "=" * done + " " * (24 - done)
        sys.stderr.write(f"\r{finished} of {cores} cores [{bar}] {instructions} instructions, Ctrl-C ends")
        sys.stderr.flush()
        self._is_shown = True

    def close(self) -> None:
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _progress(progress):
    if callable(progress):
        return progress
    if progress is True or (progress is None and sys.stderr is not None and sys.stderr.isatty()):
        return _Line()
    return None


def kernels(path: Union[str, os.PathLike], *, source: Optional[str] = None) -> list[Kernel]:
    """The kernels of a file, or of the text `source` as if it stood there."""
    return _open(os.fspath(path), source)[0]


def kernel(path: Union[str, os.PathLike], name: Optional[str] = None, *, source: Optional[str] = None) -> Kernel:
    """A kernel of a file by its name, or the only one; `path` may be `FILE::KERNEL`."""
    path = os.fspath(path)
    if name is None and "::" in path:
        path, name = path.rsplit("::", 1)
    found, missing = _open(path, source)
    if name is None and len(found) == 1:
        return found[0]
    for kernel in found:
        if kernel.name == name:
            return kernel
    for kernel, reason in missing:
        if kernel in (name, None):
            raise ArgumentError(f"{path}: not analysed: {reason}")
    names = ", ".join(kernel.name for kernel in found) or "none"
    if name is None:
        raise ArgumentError(f"{path} has several kernels: {names}; name one" if found else f"{path}: no kernels found")
    raise ArgumentError(f"{path} has no kernel `{name}`; it has {names}")


def _open(path: str, source: Optional[str]) -> tuple:
    try:
        file = _core.File(path, source)
    except ValueError as error:
        raise ArgumentError(str(error)) from None
    found = [Kernel(file, index, path, described) for index, described in enumerate(file.kernels())]
    return found, file.not_analysed()
