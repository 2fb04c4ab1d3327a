"""Core i stores [i*T, i*T + 2*T): each overwrites the next."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_04_bad_two_tiles_each(x: GMTensor, y: GMTensor):
    T = 64
    ub = Tensor(DT.float, [1, 128], Position.UB)
    i = GetCubeIdx()
    if i < 4 and GetSubBlockIdx() == 0:
        with auto_sync():
            n = Var(i * T)
            ub <<= x[i, 0:128]
            muls(ub, ub, 2.0)
            y[n:n + 2 * T] <<= ub[0:1, 0:128]  #~ ERROR core-overlap: has stored
    return y


if __name__ == "__main__":
    x = torch.randn(4, 128)
    y = torch.empty(320)
    OpExec(case_04_bad_two_tiles_each, "", simulator=True)(x, y)
