"""A buffer that is declared under another name."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    outt = DBuff(DT.float, [64, 64], Position.UB)
    cnt = Var(0)
    with auto_sync():
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            v = Min(64, M - m)
            ub[cnt][0:v, 0:64] <<= x[m:m + v, 0:64]
            exp(out[cnt], ub[cnt])  #~ ERROR unknown-name: `out`
            y[m:m + v, 0:64] <<= out[cnt][0:v, 0:64]
            cnt += 1
    return y


if __name__ == "__main__":
    M = 100
    OpExec(k, "", simulator=True)(torch.randn(M, 64), torch.empty(M, 64), M)
