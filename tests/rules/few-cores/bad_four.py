#~ pedantic
"""Four cores share tiles that twenty could have."""
from easyasc.a2 import *

# a2lint: launch(N=80, x=float[5120, 64], y=float[5120, 64], block_dim=4)
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, N: Var):  #~ INFO few-cores: runs on 4 of 20 cores
    loaded = DBuff(DT.float, [64, 64], Position.UB)
    result = DBuff(DT.float, [64, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for i in range(GetVecIdx(), N, GetVecNum()):
            loaded[n] <<= x[i * 64:i * 64 + 64, 0:64]
            exp(result[n], loaded[n])
            y[i * 64:i * 64 + 64, 0:64] <<= result[n]
            n += 1
    return y
