"""Two bfloat16 operands add up in float, two int8 operands in int32."""
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def product(a: GM[bf16, (64, 64)], b: GM[i8, (64, 64)], y: GM[f32, (64, 64)], z: GM[i32, (64, 64)]):
    l1_a = Tensor(bf16, [64, 64], Position.L1)
    l1_b = Tensor(i8, [64, 64], Position.L1)
    acc = Tensor(f32, [64, 64], Position.L0C)
    whole = Tensor(i32, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a
        l1_b <<= b
        matmul(acc, l1_a, l1_a, m=64, n=64, k=64)
        matmul(whole, l1_b, l1_b, m=64, n=64, k=64)
        y[0:64, 0:64] <<= acc
        z[0:64, 0:64] <<= whole
    return y, z
