"""The writers add atomically and may come in any order; the reader still waits for neither."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_06_bad_atomic_writers_one_reader(x: GMTensor, z: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    got = Tensor(DT.float, [1, 64], Position.UB)
    i = GetCubeIdx()
    first = GetSubBlockIdx() == 0
    with auto_sync():
        if i < 3 and first:
            ub <<= x[i, 0:64]
            muls(ub, ub, 2.0)
        if i < 2 and first:
            with atomic_add():
                z[0:64] <<= ub
        if i == 2 and first:
            got <<= z[0:64]  #~ ERROR race
            adds(got, got, 1.0)
            y[0:64] <<= got
    return y


if __name__ == "__main__":
    x = torch.randn(3, 64)
    y = torch.empty(64)
    z = torch.zeros(64)
    OpExec(case_06_bad_atomic_writers_one_reader, "", simulator=True)(x, z, y)
