"""Enough rows, four-byte types, one step."""
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def steps(
    x: GM[bf16, (64, 128)], w: GM[bf16, (64, 128)], u: GM[f32, (16, 128)], v: GM[f32, (64, 128)],
    y: GM[f32, (64, 64)], z: GM[f32, (16, 64)], t: GM[f32, (16, 64)],
):
    a = Tensor(bf16, [64, 128], Position.L1)
    b = Tensor(bf16, [64, 128], Position.L1)
    c = Tensor(f32, [16, 128], Position.L1)
    d = Tensor(f32, [64, 128], Position.L1)
    many = Tensor(f32, [64, 64], Position.L0C)
    wide = Tensor(f32, [16, 64], Position.L0C)
    once = Tensor(f32, [16, 64], Position.L0C)
    with auto_sync():
        a <<= x
        b <<= w
        c <<= u
        d <<= v
        matmul(many, a, b, splitk=32)
        y <<= many
        matmul(wide, c, d, splitk=32)
        z <<= wide
        matmul(once, a, b, m=16, n=64, k=128, splitk=128)
        t <<= once
    return y, z, t
