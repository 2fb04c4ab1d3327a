# Near misses: every launch gives a float, and one factor that is a float makes the product one
from easyasc.a2 import *
import torch


@kernel()
def scaled(x: GMTensor, y: GMTensor, R: Var, D: Var, s: Var):
    #~ VERDICT operands: proved-if D or s: float
    a = DBuff(DT.float, [1, 64], Position.UB)
    b = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), R, GetVecNum()):
            a[n] <<= x[r:r + 1, 0:64]
            muls(b[n], a[n], scalar_sqrt(D * s))
            y[r:r + 1, 0:64] <<= b[n]
            n += 1
    return y


if __name__ == "__main__":
    op = OpExec(scaled, "out", simulator=True)
    op(torch.randn(8, 64), torch.zeros(8, 64), 8, 64, 0.5)
    op(torch.randn(8, 64), torch.zeros(8, 64), 8, 64, 2.0)
