"""Core i stores [i*T, i*T + T)."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_04_good_one_tile_each(x: GMTensor, y: GMTensor):
    T = 64
    ub = Tensor(DT.float, [1, 128], Position.UB)
    i = GetCubeIdx()
    if i < 4 and GetSubBlockIdx() == 0:
        with auto_sync():
            n = Var(i * T)
            ub <<= x[i, 0:128]
            muls(ub, ub, 2.0)
            y[n:n + T] <<= ub[0:1, 0:T]
    return y


if __name__ == "__main__":
    x = torch.randn(4, 128)
    y = torch.empty(256)
    OpExec(case_04_good_one_tile_each, "", simulator=True)(x, y)
