"""The number of the core is known to both."""
from ascriptor.a2 import *


@kernel()
def product(a: GM[f16, ("M", 64)], y: GM[f32, ("M", 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        for tile in range(GetCubeIdx(), M // 64, GetCubeNum()):
            row = tile * 64
            l1 <<= a[row:row + 64, 0:64]
            matmul(l0c, l1, l1, m=64, n=64, k=64)
            y[row:row + 64, 0:64] <<= l0c
    return y
