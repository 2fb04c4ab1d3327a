# Launches whose sizes overflow L0C, L1 and L0A: an error at the buffer that does not fit.
from ascriptor.a2 import *


# a2lint: launch(N=1024)
@kernel(mode="cube", block_dim=1)
def sums(a: GM[f16, (64, 64)], w: GM[f16, ("N", 64)], c: GM[f32, (64, "N")]):
    la = Tensor(f16, [64, 64], Position.L1)
    lw = Tensor(f16, [128, 64], Position.L1)
    acc = Tensor(f32, [64, N], Position.L0C)  #~ ERROR l0c-overflow: the buffers up to `acc` need 256 KB in a launch; L0C has 128 KB
    with auto_sync():
        la <<= a
        for n in range(0, N, 128):
            lw <<= w[n:n + 128, 0:64]
            matmul(acc[:, n:n + 128], la, lw)
        c[0:64, 0:N] <<= acc
    return c


# a2lint: launch(K=8192)
@kernel(mode="cube", block_dim=1)
def stage(a: GM[f16, (64, "K")], c: GM[f32, (64, 64)]):
    la = Tensor(f16, [64, K], Position.L1)  #~ ERROR l1-overflow: the buffers up to `la` need 1024 KB in a launch; L1 has 512 KB
    acc = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        la <<= a[0:64, 0:K]
        matmul(acc, la, la, m=64, n=64, k=K, splitk=128)
        c <<= acc
    return c


# a2lint: launch(N=256)
@kernel(mode="cube", block_dim=1)
def fits(a: GM[f16, (64, 64)], w: GM[f16, ("N", 64)], c: GM[f32, (64, "N")]):
    la = Tensor(f16, [64, 64], Position.L1)
    lw = Tensor(f16, [128, 64], Position.L1)
    acc = Tensor(f32, [64, N], Position.L0C)
    with auto_sync():
        la <<= a
        for n in range(0, N, 128):
            lw <<= w[n:n + 128, 0:64]
            matmul(acc[:, n:n + 128], la, lw)
        c[0:64, 0:N] <<= acc
    return c
