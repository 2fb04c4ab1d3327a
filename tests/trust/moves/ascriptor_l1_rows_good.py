# Slices of L1 along rows and along K are operands of matmul() in this dialect.
#~ VERDICT operands: proved
#~ VERDICT capacity: proved
from ascriptor.a2 import *
@kernel(mode="cube", block_dim=1)
def mm(a: GM[f16, (128, 64)], w: GM[f16, (64, 64)], y: GM[f32, (128, 64)]):
    la = Tensor(f16, [128, 64], Position.L1)
    lw = Tensor(f16, [64, 64], Position.L1)
    acc = DBuff(f32, [64, 64], Position.L0C)
    n = Var(0)
    with auto_sync():
        la <<= a
        lw <<= w
        for r in range(0, 128, 64):
            matmul(acc[n], la[r:r + 64, :], lw)
            y[r:r + 64, 0:64] <<= acc[n]
            n += 1
    return y
