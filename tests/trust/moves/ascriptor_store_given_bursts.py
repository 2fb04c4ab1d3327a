# The same in the other dialect: 64 given bursts leave a tail tile.
#~ VERDICT bounds: open
from ascriptor.a2 import *
# a2lint: launch(M=64, x=float[64, 64], y=float[64, 64])
@kernel(mode="vec")
def f(x: GM[f32, "M", 64], y: GM[f32, "M", 64], M: i32):
    t = DBuff(DT.float, [64, 64], Position.UB)
    u = DBuff(DT.float, [64, 64], Position.UB)
    i = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            m = Min(64, M - r * 64)
            t[i][0:m, 0:64] <<= x[r * 64:r * 64 + m, 0:64]
            adds(u[i], t[i], 1.0)
            ub_to_gm_pad(y[r * 64:r * 64 + m, 0:64], u[i], n_burst=64)
            i += 1
    return y
