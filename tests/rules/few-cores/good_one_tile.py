#~ pedantic
"""There is one tile: other cores would have nothing to do."""
from easyasc.a2 import *

# a2lint: launch(N=1, x=float[64, 64], y=float[64, 64], block_dim=1)
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, N: Var):
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
