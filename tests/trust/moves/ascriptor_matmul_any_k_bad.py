# Operands of matmul() that fit into L0 for small K alone: a launch with K=512 stages 64 KB in 32 KB.
from ascriptor.a2 import *

# a2lint: launch(K=512)
@kernel(mode="cube", block_dim=1)
def wide(a: GM[f16, (64, "K")], w: GM[f16, (64, "K")], c: GM[f32, (64, 64)], K: i32):
    la = Tensor(f16, [64, 1024], Position.L1)
    lw = Tensor(f16, [64, 1024], Position.L1)
    acc = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        la[:, 0:K] <<= a[0:64, 0:K]
        lw[:, 0:K] <<= w[0:64, 0:K]
        matmul(acc, la, lw, m=64, n=64, k=K)  #~ ERROR l0ab-overflow: matmul() loads 64 KB of `la` to L0A at once
        c <<= acc
    return c
