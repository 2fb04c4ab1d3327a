# `M // 32` tiles of `x` are changed in place: the rows of the last, incomplete tile stay as they were.
#~ VERDICT ownership: proved-if elements of `x` that are not stored keep their values
from easyasc.a2 import *


# a2lint: launch(x=float[150, 64], y=float[150, 64], M=150)
@kernel(mode="vec")
def shifted(x: GMTensor, y: GMTensor, M: Var):
    a = DBuff(DT.float, [32, 64], Position.UB)
    b = DBuff(DT.float, [32, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            rows = Min(32, M - t * 32)
            a[beat][0:rows, :] <<= x[t * 32:t * 32 + rows, 0:64]
            adds(b[beat], a[beat], 1.0)
            y[t * 32:t * 32 + rows, 0:64] <<= b[beat][0:rows, :]
            if rows == 32:
                x[t * 32:t * 32 + 32, 0:64] <<= b[beat]
            beat += 1
    return y
