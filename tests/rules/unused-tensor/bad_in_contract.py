"""The second output is in the contract, and nothing stores it."""
from easyasc.a2 import *


# a2lint: shapes(x=float[M, 64], y=float[M, 64], largest=float[M, 8])
@kernel(mode="vec")
def shifted(x: GMTensor, y: GMTensor, largest: GMTensor, M: Var):  #~ WARNING unused-tensor: `largest` is in the contract
    a = DBuff(DT.float, [32, 64], Position.UB)
    b = DBuff(DT.float, [32, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            rows = Min(32, M - t * 32)
            a[beat][0:rows, :] <<= x[t * 32:t * 32 + rows, 0:64]
            adds(b[beat], a[beat], -1.0)
            y[t * 32:t * 32 + rows, 0:64] <<= b[beat][0:rows, :]
            beat += 1
    return y
