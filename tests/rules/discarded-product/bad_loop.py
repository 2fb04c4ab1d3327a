"""Each step of the loop over k starts the sum anew."""
from easyasc.a2 import *


@kernel(mode="cube")
def work(x: GMTensor, w: GMTensor, y: GMTensor, K: Var):
    a = DBuff(DT.half, [64, 128], Position.L1)
    b = DBuff(DT.half, [64, 128], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    step = Var(0)
    with auto_sync():
        for k in range(0, K, 128):
            a[step] <<= x[0:64, k:k + 128]
            b[step] <<= w[0:64, k:k + 128]
            matmul(acc, a[step], b[step])  #~ WARNING discarded-product: overwrites the product of the previous iteration
            step += 1
        y[0:64, 0:64] <<= acc
    return y
