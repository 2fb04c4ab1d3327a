# The same in the other dialect: the third column of a fractal is no place to start.
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def part(x: GM[f16, (32, 64)], w: GM[f16, (64, 64)], z: GM[f32, (32, 32)]):
    la = Tensor(f16, [32, 64], Position.L1)
    lw = Tensor(f16, [64, 64], Position.L1)
    acc = Tensor(f32, [32, 64], Position.L0C)
    with auto_sync():
        la <<= x
        lw <<= w
        matmul(acc, la, lw)
        z[0:32, 0:32] <<= acc[:, 2:34]  #~ ERROR operand-alignment: inside of a fractal
    return z


@kernel(mode="cube", block_dim=1)
def half(x: GM[f16, (32, 64)], w: GM[f16, (64, 64)], z: GM[f32, (32, 32)]):
    la = Tensor(f16, [32, 64], Position.L1)
    lw = Tensor(f16, [64, 64], Position.L1)
    acc = Tensor(f32, [32, 64], Position.L0C)
    with auto_sync():
        la <<= x
        lw <<= w
        matmul(acc, la, lw)
        z[0:32, 0:32] <<= acc[:, 32:64]
    return z
