"""Ids are 0 to 7."""
from ascriptor.a2 import *


@kernel()
def bridge(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    ub = Tensor(f32, [32, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 1)
    full = CvMutex(8, depth=1)  #~ ERROR flag-id: 8
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        l1 <<= a
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        full.lock()
        ring[beat] <<= l0c
        full.ready()
        full.wait()
        ub <<= ring[beat][half:half + 32, 0:64]
        full.free()
        y[half:half + 32, 0:64] <<= ub
    return y
