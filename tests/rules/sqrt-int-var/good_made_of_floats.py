"""A float takes part: a literal, a Var of its own type, or a parameter that the launches give floats."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def scaled(x: GMTensor, y: GMTensor, M: Var, scale: Var):
    f = Tensor(DT.float, [8, 64], Position.UB)
    root = Var(M, DT.float)
    total = Var(0.0)
    total += M
    with auto_sync():
        if GetVecIdx() == 0:
            f <<= x[0:8, 0:64]
            muls(f, f, scalar_sqrt(root))
            muls(f, f, scalar_sqrt(total))
            muls(f, f, scalar_sqrt(M * 1.0))
            muls(f, f, scalar_sqrt(M * scale))
            y[0:8, 0:64] <<= f
    return y


if __name__ == "__main__":
    OpExec(scaled, "", simulator=True)(torch.randn(8, 64), torch.zeros(8, 64), 8, 2.0)
    OpExec(scaled, "", simulator=True)(torch.randn(8, 64), torch.zeros(8, 64), 8, 0.5)
