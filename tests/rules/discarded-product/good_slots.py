"""Each product has a slot or a part of its own, and is read before that comes round."""
from easyasc.a2 import *


@kernel(mode="cube")
def work(x: GMTensor, w: GMTensor, y: GMTensor, M: Var):
    a = DBuff(DT.half, [64, 128], Position.L1)
    b = Tensor(DT.half, [64, 128], Position.L1)
    acc = DBuff(DT.float, [64, 64], Position.L0C)
    turn = Var(0)
    with auto_sync():
        b <<= w[0:64, 0:128]
        for m in range(0, M, 128):
            for half in range(0, 2):
                a[turn] <<= x[m + half * 64:m + half * 64 + 64, 0:128]
                matmul(acc[turn], a[turn], b)
                turn += 1
            for half in range(0, 2):
                y[m + half * 64:m + half * 64 + 64, 0:64] <<= acc[turn + half]
    return y
