"""The consumer runs one step behind the producer."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_lookahead(x: GMTensor, y: GMTensor, K: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for k in range(K + 1):
            bar_all()
            if k > 0:
                exp(out, ub[k - 1])
                y[k * 64 - 64:k * 64, 0:64] <<= out
            if k < K:
                ub[k] <<= x[k * 64:k * 64 + 64, 0:64]
    return y
