"""Two launches, one behind the other."""
from easyasc.a2 import *


@kernel(mode="vec")
def doubled(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, 2.0)
        y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.zeros(64, 64)
    OpExec(doubled, "")(x, y)
    OpExec(doubled, "")(y, x)
