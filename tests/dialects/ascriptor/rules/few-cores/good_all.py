#~ pedantic
"""All vec cores share the tiles."""
from ascriptor.a2 import *

# a2lint: launch(N=80, x=float[5120, 64], y=float[5120, 64])
@kernel(mode="vec")
def exponentials(x: GM[f32, 5120, 64], y: GM[f32, 5120, 64], N: i32):
    loaded = DBuff(f32, [64, 64], Position.UB)
    result = DBuff(f32, [64, 64], Position.UB)
    with auto_sync():
        for i in range(GetVecIdx(), N, GetVecNum()):
            loaded[i] <<= x[i * 64:i * 64 + 64, 0:64]
            exp(result[i], loaded[i])
            y[i * 64:i * 64 + 64, 0:64] <<= result[i]
    return y
