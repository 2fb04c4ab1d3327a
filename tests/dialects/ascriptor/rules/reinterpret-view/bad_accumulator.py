"""Another type for an accumulator."""
from ascriptor.a2 import *


@kernel(mode="cube")
def work(x: GM[f16, (64, 64)], y: GM[i32, (64, 64)]):
    l1_a = Tensor(f16, [64, 64], Position.L1)
    acc = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= x
        matmul(acc, l1_a, l1_a, m=64, n=64, k=64)
        y <<= acc.reinterpret(i32)  #~ ERROR reinterpret-view: `acc` [64,64] is in L0C
    return y
