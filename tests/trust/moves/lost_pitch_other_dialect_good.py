# In the first dialect the distance of rows is the real one.
from easyasc.a2 import *


# a2lint: launch(x=float[32, 4, 64], y=float[32, 4, 64])
@kernel(block_dim=1)
def heads(x: GMTensor, y: GMTensor):
    u = DBuff(DT.float, [16, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        if GetVecIdx() == 0:
            for h in range(0, 4):
                for t in range(0, 32, 16):
                    u[n] <<= x[t:t + 16, h, 0:64]
                    y[t:t + 16, h, 0:64] <<= u[n]
                    n += 1
    return y
