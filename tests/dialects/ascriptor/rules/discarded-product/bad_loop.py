"""Each step of the loop over k starts the sum anew; a choice by the counter would not."""
from ascriptor.a2 import *


@kernel(mode="cube")
def work(x: GM[f16, (64, "K")], w: GM[f16, (64, "K")], y: GM[f32, (64, 64)], z: GM[f32, (64, 64)]):
    a = DBuff(f16, [64, 128], Position.L1)
    b = DBuff(f16, [64, 128], Position.L1)
    acc = Tensor(f32, [64, 64], Position.L0C)
    total = Tensor(f32, [64, 64], Position.L0C)
    step = Var(0)
    with auto_sync():
        for k in range(0, K, 128):
            a[step] <<= x[:, k:k + 128]
            b[step] <<= w[:, k:k + 128]
            matmul(acc, a[step], b[step])  #~ WARNING discarded-product
            if k == 0:
                matmul(total, a[step], b[step], is_init=True)
            else:
                matmul(total, a[step], b[step], is_init=False)
            step += 1
        y <<= acc
        z <<= total
    return y, z
