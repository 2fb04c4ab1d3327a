"""Two cores store to one place and a third loads it: nobody waits for anybody."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_05_bad_two_writers_one_reader(x: GMTensor, y: GMTensor, z: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    got = Tensor(DT.float, [1, 64], Position.UB)
    i = GetCubeIdx()
    first = GetSubBlockIdx() == 0
    with auto_sync():
        if i < 3 and first:
            ub <<= x[i, 0:64]
            muls(ub, ub, 2.0)
        if i < 2 and first:
            z[0:64] <<= ub  #~ ERROR core-overlap: has stored
        if i == 2 and first:
            got <<= z[0:64]  #~ ERROR race: core 2
            adds(got, got, 1.0)
            y[0:64] <<= got
    return y, z


if __name__ == "__main__":
    x = torch.randn(3, 64)
    y = torch.empty(64)
    z = torch.zeros(64)
    OpExec(case_05_bad_two_writers_one_reader, "", simulator=True)(x, y, z)
