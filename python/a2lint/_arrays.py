"""Arrays and tensors as the machine takes them: a type, extents and bytes, without a copy where one can do."""

from __future__ import annotations

import sys

import numpy as np

from ._errors import ArgumentError

DTYPES = {
    "float16": "half",
    "float32": "float",
    "bfloat16": "bfloat16",
    "int8": "int8",
    "int16": "int16",
    "int32": "int",
    "int64": "int64",
    "uint8": "uint8",
    "uint16": "uint16",
    "uint32": "uint32",
    "uint64": "uint64",
    "bool": "bool",
}
"""Names of element types by what NumPy and torch call them."""
NUMPY = {name: np.dtype(numpy) for numpy, name in DTYPES.items() if name != "bfloat16"}
NAMES = {dtype: name for name, dtype in NUMPY.items()}


def _torch():
    """torch, if somebody has imported it."""
    return sys.modules.get("torch")


def is_torch(value) -> bool:
    torch = _torch()
    return torch is not None and isinstance(value, torch.Tensor)


def is_tensor(value) -> bool:
    return is_torch(value) or isinstance(value, np.ndarray) or hasattr(value, "__dlpack__")


def as_numpy(value, name: str) -> tuple[np.ndarray, str]:
    """An array with the bits of a tensor, and what its elements are."""
    if is_torch(value):
        torch = _torch()
        value = value.detach()
        if value.device.type != "cpu":
            value = value.cpu()
        if value.dtype == torch.bfloat16:
            return value.contiguous().view(torch.int16).numpy(), "bfloat16"
        value = value.numpy()
    elif not isinstance(value, np.ndarray):
        try:
            value = np.from_dlpack(value)
        except Exception as error:
            raise ArgumentError(f"`{name}` is no array that NumPy can take: {error}") from None
    dtype = NAMES.get(value.dtype) or DTYPES.get(value.dtype.name)
    if value.dtype.kind == "V" and value.dtype.itemsize == 2:
        dtype = "bfloat16"
    if dtype is None:
        hint = "; the device has no doubles: use float32" if value.dtype.name == "float64" else ""
        raise ArgumentError(f"`{name}` has elements of type {value.dtype}, which kernels do not take{hint}")
    return value, dtype


def given(array: np.ndarray, dtype: str) -> tuple[str, list[int], np.ndarray]:
    """Type, extents and bytes of an array; the bytes are its own where it is contiguous."""
    shape = list(array.shape)
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    return dtype, shape, np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def expected(value, name: str) -> tuple[str, list[int], np.ndarray]:
    """The same of values that results are compared with, which may be doubles."""
    if is_torch(value) and value.dtype == _torch().float64:
        value = value.detach().cpu().numpy()
    if not is_torch(value):
        value = np.asarray(value)
        if value.dtype == np.float64:
            return given(value, "double")
    return given(*as_numpy(value, name))


def doubles(value):
    """The floats of a tensor in float64; any other value as it is."""
    if is_torch(value):
        return value.double() if value.is_floating_point() else value
    if isinstance(value, np.ndarray) and (value.dtype.kind == "f" or value.dtype.name == "bfloat16"):
        return value.astype(np.float64)
    return value


def returned(dtype: str, shape: list[int], data: np.ndarray, like) -> object:
    """What the machine left, as a tensor of torch where `like` is one."""
    if dtype == "int4":
        nibbles = np.stack([data << 4, data & 0xF0], axis=-1).view(np.int8) >> 4
        array = nibbles.reshape(-1)[: int(np.prod(shape, dtype=np.int64))].reshape(shape)
    elif dtype == "bfloat16":
        return _bfloat16(data.view(np.uint16).reshape(shape), like)
    else:
        array = data.view(NUMPY[dtype]).reshape(shape)
    torch = _torch()
    unsigned = ("uint16", "uint32", "uint64")
    if like == "torch" and not (dtype in unsigned and not hasattr(torch, dtype)):
        return torch.from_numpy(array)
    return array


def _bfloat16(bits: np.ndarray, like) -> object:
    if like == "torch":
        torch = _torch()
        return torch.from_numpy(bits.view(np.int16)).view(torch.bfloat16)
    if "ml_dtypes" in sys.modules:
        return bits.view(sys.modules["ml_dtypes"].bfloat16)
    return bits


def number(value, name: str) -> tuple[float, bool]:
    """A scalar argument, and whether it is a float."""
    if is_tensor(value) and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (bool, int)):
        if abs(int(value)) > 2**53:
            raise ArgumentError(f"`{name}` is {value}: integers beyond 2**53 are not taken exactly")
        return float(value), False
    if isinstance(value, float):
        return value, True
    raise ArgumentError(f"`{name}` is {value!r}, which is no number")
