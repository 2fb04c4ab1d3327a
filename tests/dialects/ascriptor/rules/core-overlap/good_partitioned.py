"""Every core stores to a place of its own."""
from ascriptor.a2 import *


@kernel()
def work(x: GM[f32, (96, 64)], y: GM[f32, (96, 64)]):
    t = Tensor(f32, [32, 64], Position.UB)
    o = Tensor(f32, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    with auto_sync():
        if core < 3:
            if sb == 0:
                t <<= x[core * 32:core * 32 + 32, 0:64]
                muls(o, t, 2.0)
                y[core * 32:core * 32 + 32, 0:64] <<= o
    return y
