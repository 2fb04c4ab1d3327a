"""Sixteen rows of bf16 in steps: older compilers put no barrier between them."""
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def sixteen(x: GM[bf16, (16, 128)], w: GM[bf16, (64, 128)], y: GM[f32, (16, 64)]):
    a = Tensor(bf16, [16, 128], Position.L1)
    b = Tensor(bf16, [64, 128], Position.L1)
    acc = Tensor(f32, [16, 64], Position.L0C)
    with auto_sync():
        a <<= x
        b <<= w
        matmul(acc, a, b, m=16, n=64, k=128, splitk=16)  #~ INFO accumulate-settle: has 16 rows
        y <<= acc
    return y
