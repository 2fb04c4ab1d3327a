"""The first step starts the sum, the others add to it; what is left is read before the next tile."""
from easyasc.a2 import *


@kernel(mode="cube")
def work(x: GMTensor, w: GMTensor, y: GMTensor, M: Var, K: Var):
    a = DBuff(DT.half, [64, 128], Position.L1)
    b = DBuff(DT.half, [64, 128], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    step = Var(0)
    with auto_sync():
        for m in range(0, M, 64):
            for k in range(0, K, 128):
                a[step] <<= x[m:m + 64, k:k + 128]
                b[step] <<= w[0:64, k:k + 128]
                bar_m()
                matmul(acc, a[step], b[step], is_init=(k == 0))
                step += 1
            y[m:m + 64, 0:64] <<= acc
    return y
