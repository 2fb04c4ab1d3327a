"""The lanes of the vector unit have numbers, the cube has none of them."""
from ascriptor.a2 import *


@kernel()
def product(a: GM[f16, ("M", 64)], y: GM[f32, ("M", 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        for tile in range(GetVecIdx(), M // 64, GetVecNum()):
            row = tile * 64
            l1 <<= a[row:row + 64, 0:64]  #~ ERROR sub-block-in-cube
            matmul(l0c, l1, l1, m=64, n=64, k=64)  #~ ERROR sub-block-in-cube
            y[row:row + 64, 0:64] <<= l0c  #~ ERROR sub-block-in-cube
    return y
