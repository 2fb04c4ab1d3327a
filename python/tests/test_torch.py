"""Tensors of torch in, tensors of torch out."""

import subprocess
import sys

import pytest

import a2lint
from a2lint.testing import assert_matches

torch = pytest.importorskip("torch")

DOUBLE = """
from easyasc.a2 import *


@kernel(mode="vec")
def double(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor({dtype}, [8, 64], Position.UB)
    wide = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for step in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            tile <<= x[step * 8:step * 8 + 8, 0:64]
            {work}
            y[step * 8:step * 8 + 8, 0:64] <<= tile
    return y
"""
PLAIN = "muls(tile, tile, 2)"
WIDENED = """cast(wide, tile)
            muls(wide, wide, 2.0)
            cast(tile, wide, round_mode=RoundMode.TO_EVEN)"""
KINDS = {
    "half": (torch.float16, WIDENED),
    "bfloat16": (torch.bfloat16, WIDENED),
    "float": (torch.float32, PLAIN),
    "int": (torch.int32, PLAIN),
}


def double(dtype):
    source = DOUBLE.format(dtype=f"DT.{dtype}", work=KINDS[dtype][1])
    return a2lint.kernel("double.py", source=source)


def tensor(dtype, rows=16):
    values = torch.randn(rows, 64, generator=torch.Generator().manual_seed(0)) * 8
    return values.to(KINDS[dtype][0])


@pytest.mark.parametrize("dtype", KINDS)
def test_tensors_come_back_as_they_went_in(dtype):
    x = tensor(dtype)
    before = x.clone()
    y = double(dtype).run(x, torch.empty_like(x), 16)["y"]
    assert isinstance(y, torch.Tensor) and y.dtype == x.dtype and y.shape == x.shape
    assert torch.equal(y, x * 2) and torch.equal(x, before)


@pytest.mark.parametrize("dtype", KINDS)
def test_views_and_gradients_are_taken(dtype):
    x = tensor(dtype, 32)[::2]
    assert not x.is_contiguous()
    if x.is_floating_point():
        x = x.requires_grad_()
    assert torch.equal(double(dtype).run(x, torch.empty(16, 64, dtype=x.dtype), 16)["y"], x.detach() * 2)


@pytest.mark.parametrize("dtype", KINDS)
def test_references_are_torch_too(dtype):
    x = tensor(dtype)
    case = dict(x=x, y=torch.empty_like(x), M=16)
    assert_matches(double(dtype), lambda x: x * 2, [case])
    with pytest.raises(a2lint.MismatchError, match="differs from the reference"):
        assert_matches(double(dtype), lambda x: x * 3, [case])


def test_scalars_and_types_of_torch():
    x = tensor("float")
    result = double("float").run(x, torch.empty_like(x), torch.tensor(16))
    assert torch.equal(result["y"], x * 2)
    with pytest.raises(a2lint.ArgumentError, match="no doubles"):
        double("float").run(x.double(), torch.empty_like(x), 16)
    with pytest.raises(a2lint.ArgumentError, match="complex64"):
        double("float").run(x.to(torch.complex64), torch.empty_like(x), 16)


def test_torch_is_not_imported():
    check = "import sys, a2lint, a2lint.testing; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True)
