# free() stands between two loads from one slot of a ring.
from ascriptor.a2 import *


@kernel()
def between(a: GM[f16, ("M", 64)], b: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):
    rows = DBuff(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = DBuff(f32, [64, 64], Position.L0C)
    upper = DBuff(f32, [16, 64], Position.UB)
    lower = DBuff(f32, [16, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2)
    full = CvMutex(0, depth=2)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        weights <<= b
        for t in range(GetCubeIdx(), M // 64, GetCubeNum()):
            rows[beat] <<= a[t * 64:t * 64 + 64, :]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ring[beat] <<= product[beat]
            full.ready()
            full.wait()
            upper[beat] <<= ring[beat][half:half + 16, 0:64]
            full.free()
            lower[beat] <<= ring[beat][half + 16:half + 32, 0:64]  #~ ERROR ring-contract: outside of wait() and free()
            y[t * 64 + half:t * 64 + half + 16, :] <<= upper[beat]
            y[t * 64 + half + 16:t * 64 + half + 32, :] <<= lower[beat]
            beat += 1
    return y


@kernel()
def after_both(a: GM[f16, ("M", 64)], b: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):
    rows = DBuff(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = DBuff(f32, [64, 64], Position.L0C)
    upper = DBuff(f32, [16, 64], Position.UB)
    lower = DBuff(f32, [16, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2)
    full = CvMutex(0, depth=2)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        weights <<= b
        for t in range(GetCubeIdx(), M // 64, GetCubeNum()):
            rows[beat] <<= a[t * 64:t * 64 + 64, :]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ring[beat] <<= product[beat]
            full.ready()
            full.wait()
            upper[beat] <<= ring[beat][half:half + 16, 0:64]
            lower[beat] <<= ring[beat][half + 16:half + 32, 0:64]
            full.free()
            y[t * 64 + half:t * 64 + half + 16, :] <<= upper[beat]
            y[t * 64 + half + 16:t * 64 + half + 32, :] <<= lower[beat]
            beat += 1
    return y
