# The value of a flag is no size that every launch has: the verdict names it, and never stands as "Clean"
from easyasc.a2 import *


@kernel(mode="vec")
def biased(x: GMTensor, y: GMTensor, R: Var, has_bias: Var):
    #~ VERDICT initialised: proved-if has_bias >= 1
    a = DBuff(DT.float, [1, 64], Position.UB)
    b = DBuff(DT.float, [1, 64], Position.UB)
    acc = Tensor(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        if has_bias > 0:
            dup(acc, 0.0)
        for r in range(GetVecIdx(), R, GetVecNum()):
            a[n] <<= x[r:r + 1, 0:64]
            add(b[n], a[n], acc)
            y[r:r + 1, 0:64] <<= b[n]
            n += 1
    return y
