# A flag that only decides a branch may have any value: no proof asks that it is at least 1.
import torch
from easyasc.a2 import *


@kernel()
def flagged(x: GMTensor, y: GMTensor, B: Var, S: Var, flag: Var):
    #~ VERDICT flagged.scalars: proved-if B >= 1 (any size that fits an int32 index), S >= 1, B * S + S <= 2147483647
    ub = DBuff(DT.float, [1, 64], Position.UB)
    out = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), B, GetVecNum()):
            for s in range(S):
                ub[c] <<= x[b * S + s:b * S + s + 1, 0:64]
                if flag == 1:
                    exp(out[c], ub[c])
                else:
                    muls(out[c], ub[c], 2.0)
                y[b * S + s:b * S + s + 1, 0:64] <<= out[c]
                c += 1
    return y


@kernel()
def negative_means_off(x: GMTensor, y: GMTensor, M: Var, axis: Var):
    #~ VERDICT negative_means_off.scalars: proved-if M >= 1 (any size that fits an int32 index)
    ub = DBuff(DT.float, [1, 64], Position.UB)
    out = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), M, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]
            if axis >= 0:
                exp(out[c], ub[c])
            else:
                abs(out[c], ub[c])
            y[b:b + 1, 0:64] <<= out[c]
            c += 1
    return y


if __name__ == "__main__":
    OpExec(flagged, "", simulator=True)(torch.randn(6, 64), torch.zeros(6, 64), 2, 3, 1)
    OpExec(negative_means_off, "", simulator=True)(torch.randn(6, 64), torch.zeros(6, 64), 6, -1)
