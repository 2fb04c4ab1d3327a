# The same between cores: blocks of 8 rows at a distance of 7.
from easyasc.a2 import *
import torch


@kernel()
def add_up(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.float, [8, 64], Position.UB)
    b = Tensor(DT.float, [8, 64], Position.UB)
    zero = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        dup(zero, 0.0)
        for r in range(GetVecIdx() * 8, M, GetVecNum() * 8):
            y[r:r + 8, 0:64] <<= zero
        bar_all()
        allvec_ready(0)
        allvec_wait(0)
        for r in range(GetVecIdx() * 7, M - 7, GetVecNum() * 7):
            a <<= x[r:r + 8, 0:64]
            exp(b, a)
            with atomic_add():
                y[r:r + 8, 0:64] <<= b  #~ ERROR atomic-double-count: computed of the same data
    return y


if __name__ == "__main__":
    OpExec(add_up, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64), 64)
