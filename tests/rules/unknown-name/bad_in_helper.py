"""One wrong name in a helper is one finding, however often it is called."""
import torch

from easyasc.a2 import *


@func()
def norm(dst, src):
    muls(dst, src, 2.0)
    exp(dst, srcc)  #~ ERROR unknown-name: `srcc`


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    cnt = Var(0)
    with auto_sync():
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            ub[cnt] <<= x[m:m + 64, 0:64]
            norm(out[cnt], ub[cnt])
            norm(out[cnt], out[cnt])
            norm(ub[cnt], out[cnt])
            y[m:m + 64, 0:64] <<= ub[cnt]
            cnt += 1
    return y


if __name__ == "__main__":
    M = 128
    OpExec(k, "", simulator=True)(torch.randn(M, 64), torch.empty(M, 64), M)
