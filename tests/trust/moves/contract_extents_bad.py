# Extents that the contract gives are given too: no launch, and a parameter of which nothing is known.
from easyasc.a2 import *


# a2lint: shapes(x=float[8, 64], y=float[8, 64])
@kernel(block_dim=1)
def shifted(x: GMTensor, y: GMTensor, g: Var):  #~ ERROR contract-too-wide
    u = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            u <<= x[4:12, 0:64]  #~ ERROR gm-out-of-bounds: `x` has 8 rows; gm_to_ub_pad() reads 4..12
            y[0:8, 0:64] <<= u
    return y
