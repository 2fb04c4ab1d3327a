# Steps through K by slices of whole tiles in L1, through a helper: right values, no finding.
from ascriptor.a2 import *


@func()
def step(acc, la, lw, k):
    matmul(acc, la[:, k:k + 64], lw[:, k:k + 64], is_init=True)


@kernel(mode="cube", block_dim=1)
def depth(a: GM[f16, (64, 128)], w: GM[f16, (64, 128)], y: GM[f32, (2, 64, 64)]):
    la = Tensor(f16, [64, 128], Position.L1)
    lw = Tensor(f16, [64, 128], Position.L1)
    acc = DBuff(f32, [64, 64], Position.L0C)
    n = Var(0)
    with auto_sync():
        la <<= a
        lw <<= w
        for k in range(0, 128, 64):
            step(acc[n], la, lw, k)
            y[n, 0:64, 0:64] <<= acc[n]
            n += 1
    return y
