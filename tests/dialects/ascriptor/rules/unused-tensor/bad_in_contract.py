"""The second output is in the contract, and nothing stores it."""
from ascriptor.a2 import *


# a2lint: shapes(x=float[M, 64], y=float[M, 64], largest=float[M, 8])
@kernel(mode="vec", block_dim=2)
def shifted(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], largest: GM[f32, ("M", 8)]):  #~ WARNING unused-tensor: `largest` is in the contract
    tile = Tensor(f32, [32, 64], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            rows = Min(32, M - t * 32)
            tile[0:rows, :] <<= x[t * 32:t * 32 + rows, 0:64]
            adds(tile, tile, -1.0)
            y[t * 32:t * 32 + rows, 0:64] <<= tile[0:rows, :]
    return y
