# What matmul() stages in L0 is a question of capacity: it holds for small K, and for all where K is split.
#~ VERDICT any.capacity: proved-if 1 <= K <= 256
#~ VERDICT split.capacity: proved
#~ VERDICT clipped.capacity: proved
from easyasc.a2 import *


# a2lint: launch(K=64, a=half[64, 64], w=half[64, 64], c=float[64, 64])
@kernel(block_dim=1)
def any(a: GMTensor, w: GMTensor, c: GMTensor, K: Var):
    la = Tensor(DT.half, [64, 1024], Position.L1)
    lw = Tensor(DT.half, [64, 1024], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            la[0:64, 0:K] <<= a[0:64, 0:K]
            lw[0:64, 0:K] <<= w[0:64, 0:K]
            matmul(acc, la, lw, m=64, n=64, k=K)
            c[0:64, 0:64] <<= acc
    return c


# a2lint: launch(K=512, a=half[64, 512], w=half[64, 512], c=float[64, 64])
@kernel(block_dim=1)
def split(a: GMTensor, w: GMTensor, c: GMTensor, K: Var):
    la = Tensor(DT.half, [64, 1024], Position.L1)
    lw = Tensor(DT.half, [64, 1024], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            la[0:64, 0:K] <<= a[0:64, 0:K]
            lw[0:64, 0:K] <<= w[0:64, 0:K]
            matmul(acc, la, lw, m=64, n=64, k=K, splitk=128)
            c[0:64, 0:64] <<= acc
    return c


# a2lint: launch(K=512, a=half[64, 512], w=half[64, 512], c=float[64, 64])
@kernel(block_dim=1)
def clipped(a: GMTensor, w: GMTensor, c: GMTensor, K: Var):
    la = DBuff(DT.half, [64, 128], Position.L1)
    lw = DBuff(DT.half, [64, 128], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    n = Var(0)
    with auto_sync():
        if GetCubeIdx() == 0:
            for k in range(0, K, 128):
                d = Min(128, K - k)
                la[n][0:64, 0:d] <<= a[0:64, k:k + d]
                lw[n][0:64, 0:d] <<= w[0:64, k:k + d]
                matmul(acc, la[n], lw[n], m=64, n=64, k=d, is_init=k == 0)
                n += 1
            c[0:64, 0:64] <<= acc
    return c
