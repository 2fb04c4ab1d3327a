# The same in the first dialect, at rows: a launch of 192 rows stages 48 KB, one of 128 rows fits exactly.
from easyasc.a2 import *


# a2lint: launch(M=192, a=half[192, 128], w=half[64, 128], c=float[192, 64])
@kernel(block_dim=1)
def tall(a: GMTensor, w: GMTensor, c: GMTensor, M: Var):
    la = Tensor(DT.half, [256, 128], Position.L1)
    lw = Tensor(DT.half, [64, 128], Position.L1)
    acc = Tensor(DT.float, [256, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            la[0:M, 0:128] <<= a[0:M, 0:128]
            lw <<= w[0:64, 0:128]
            matmul(acc, la, lw, m=M, n=64, k=128)  #~ ERROR l0ab-overflow: matmul() loads 48 KB of `la` to L0A at once
            c[0:M, 0:64] <<= acc[0:M, 0:64]
    return c


# a2lint: launch(M=128, a=half[128, 128], w=half[64, 128], c=float[128, 64])
@kernel(block_dim=1)
def exact(a: GMTensor, w: GMTensor, c: GMTensor, M: Var):
    la = Tensor(DT.half, [256, 128], Position.L1)
    lw = Tensor(DT.half, [64, 128], Position.L1)
    acc = Tensor(DT.float, [256, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            la[0:M, 0:128] <<= a[0:M, 0:128]
            lw <<= w[0:64, 0:128]
            matmul(acc, la, lw, m=M, n=64, k=128)
            c[0:M, 0:64] <<= acc[0:M, 0:64]
    return c
