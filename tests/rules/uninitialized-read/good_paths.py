"""Every path writes before it reads: both branches, an earlier turn of the loop, a first turn."""
from easyasc.a2 import *


@kernel(mode="vec")
def branches(x: GMTensor, y: GMTensor, M: Var):
    acc = Tensor(DT.float, [64, 64], Position.UB)
    if M > 4:
        acc <<= x[0:64, 0:64]
    else:
        dup(acc, 0.0)
    bar_all()
    acc <<= acc + 1.0
    bar_all()
    y[0:64, 0:64] <<= acc
    return y


@kernel(mode="vec")
def one_turn_behind(x: GMTensor, y: GMTensor, M: Var):
    ring = DBuff(DT.float, [64, 64], Position.UB)
    n = CeilDiv(M, 64)
    with auto_sync():
        for i in range(n + 1):
            bar_all()
            if i < n:
                ring[i] <<= x[i * 64:i * 64 + 64, 0:64]
            if i > 0:
                exp(ring[i - 1], ring[i - 1])
                y[(i - 1) * 64:i * 64, 0:64] <<= ring[i - 1]
    return y


@kernel(mode="vec")
def first_turn(x: GMTensor, y: GMTensor, M: Var):
    acc = Tensor(DT.float, [64, 64], Position.UB)
    t = Tensor(DT.float, [64, 64], Position.UB)
    for m in range(M):
        bar_all()
        t <<= x[m * 64:m * 64 + 64, 0:64]
        bar_all()
        if m == 0:
            ub_to_ub(acc, t)
        else:
            add(acc, acc, t)
    bar_all()
    y[0:64, 0:64] <<= acc
    return y
