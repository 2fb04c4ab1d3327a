# The second dialect: free() after the load
from ascriptor.a2 import *


@kernel()
def drained(a: GM[f16, ("M", 64)], b: GM[f16, (64, 64)], y: GM[f32, ("M", 64)]):  #~ WARNING deadlock: no lane can go on
    l1_a = DBuff(f16, [64, 64], Position.L1)
    l1_b = Tensor(f16, [64, 64], Position.L1)
    l0c = DBuff(f32, [64, 64], Position.L0C)
    ub = DBuff(f32, [32, 64], Position.UB)
    out = DBuff(f32, [32, 64], Position.UB)
    products = GMBuff(f32, [64, 64], 2)
    full = CvMutex(0, depth=2)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        l1_b <<= b
        for tile in range(GetCubeIdx(), M // 64, GetCubeNum()):
            row = tile * 64
            l1_a[beat] <<= a[row:row + 64, 0:64]
            matmul(l0c[beat], l1_a[beat], l1_b, m=64, n=64, k=64)
            full.lock()
            products[beat] <<= l0c[beat]
            full.ready()
            full.wait()  #~ ERROR mutex-protocol: `full.free()` is never called
            ub[beat] <<= products[beat][half:half + 32, 0:64]
            exp(out[beat], ub[beat])
            y[row + half:row + half + 32, 0:64] <<= out[beat]
            beat += 1
    return y
