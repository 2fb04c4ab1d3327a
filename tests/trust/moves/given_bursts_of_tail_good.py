# The near miss: given bursts that follow the tail are proved as the slice would be, whatever the view spans.
#~ VERDICT bounds: holds
from easyasc.a2 import *
# a2lint: launch(M=100, x=float[100, 64], y=float[100, 64])
@kernel()
def tails(x: GMTensor, y: GMTensor, M: Var):
    t = DBuff(DT.float, [64, 64], Position.UB)
    u = DBuff(DT.float, [64, 64], Position.UB)
    i = Var(0)
    dup(t[0], 0.0)
    dup(t[1], 0.0)
    bar_all()
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            m = Min(64, M - r * 64)
            gm_to_ub_pad(t[i], x[r * 64:r * 64 + 64, 0:64], n_burst=m)
            adds(u[i], t[i], 1.0)
            ub_to_gm_pad(y[r * 64:r * 64 + 64, 0:64], u[i], n_burst=m)
            i += 1
    return y
