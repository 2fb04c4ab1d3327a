import pytest
import torch

from configs import SQUARE, WIDE
from easyasc.a2 import *
from ops import build_rescale, row_bias, shift


@pytest.fixture(params=[64, 72])
def M(request):
    return request.param


@pytest.mark.parametrize("tile,dtype", [(SQUARE, torch.float32), (WIDE, torch.float16)])
def test_rescale(tile, dtype):
    x = torch.rand(40, tile.columns).to(dtype)
    y = OpExec(build_rescale(tile, dtype), "out")(x, torch.zeros_like(x), 40, 2.0)
    assert y.shape == x.shape


def test_row_bias(M):
    x = torch.randn(M, 64)
    OpExec(row_bias, "out")(x, torch.ones_like(x), torch.zeros_like(x), M)


class TestShift:
    by = 0.25

    def test_shift(self):
        x = torch.randn(65, 64)
        OpExec(shift, "out")(x=x, y=torch.zeros_like(x), M=65, by=self.by)
