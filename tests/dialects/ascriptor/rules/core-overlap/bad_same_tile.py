"""Every core stores its own tile to the same place."""
from ascriptor.a2 import *


@kernel()
def work(x: GM[f32, (96, 64)], y: GM[f32, (32, 64)]):
    t = Tensor(f32, [32, 64], Position.UB)
    o = Tensor(f32, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    with auto_sync():
        if core < 3:
            if sb == 0:
                t <<= x[core * 32:core * 32 + 32, 0:64]
                muls(o, t, 2.0)
                y[0:32, 0:64] <<= o  #~ ERROR core-overlap: on core 1 stores other values
    return y
