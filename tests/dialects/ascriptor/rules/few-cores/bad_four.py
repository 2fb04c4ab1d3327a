#~ pedantic
"""Four vec cores share tiles that forty could have."""
from ascriptor.a2 import *

# a2lint: launch(N=80, x=float[5120, 64], y=float[5120, 64])
@kernel(mode="vec", block_dim=4)
def exponentials(x: GM[f32, 5120, 64], y: GM[f32, 5120, 64], N: i32):  #~ INFO few-cores: runs on 4 of 40 cores
    loaded = DBuff(f32, [64, 64], Position.UB)
    result = DBuff(f32, [64, 64], Position.UB)
    with auto_sync():
        for i in range(GetVecIdx(), N, GetVecNum()):
            loaded[i] <<= x[i * 64:i * 64 + 64, 0:64]
            exp(result[i], loaded[i])
            y[i * 64:i * 64 + 64, 0:64] <<= result[i]
    return y
