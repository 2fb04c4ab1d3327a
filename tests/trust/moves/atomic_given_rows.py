# Atomic stores of given rows commute, and bounds still look at the rows that are given.
#~ VERDICT ownership: proved
#~ VERDICT bounds: open
from easyasc.a2 import *
# a2lint: launch(M=64, x=float[64, 64], y=float[64, 64])
@kernel()
def sums(x: GMTensor, y: GMTensor, M: Var):
    t = DBuff(DT.float, [64, 64], Position.UB)
    i = Var(0)
    dup(t[0], 0.0)
    dup(t[1], 0.0)
    bar_all()
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            m = Min(64, M - r * 64)
            t[i][0:m, 0:64] <<= x[r * 64:r * 64 + m, 0:64]
            with atomic_add():
                ub_to_gm_pad(y[r * 64:r * 64 + m, 0:64], t[i], n_burst=64)  #~ ERROR unseeded-accumulation  #~ WARNING gm-out-of-bounds: for M = 63, which is not among the given launches
            i += 1
    return y
