# A slice inside of a loop that `<<=` cannot copy was an internal error: its numbers were those of another expression.
from easyasc.a2 import *


# a2lint: launch(M=100, x=half[100, 128], y=half[100, 128])
@kernel(mode="vec")
def columns(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 128], Position.UB)
    b = Tensor(DT.half, [64, 128], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            r = Var(t * 64)
            n = Min(64, M - r)
            a[0:n, 0:128] <<= x[r:r + n, 0:128]
            for i in range(0, 128, 1):
                b[0:64, i:i + 1] <<= a[0:64, i:i + 1]  #~ ERROR illegal-move: does not copy inside UB
            y[r:r + n, 0:128] <<= b[0:n, 0:128]
    return y


# a2lint: launch(M=128, x=half[128, 128], y=half[128, 128])
@kernel(mode="vec")
def halves(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 128], Position.UB)
    b = Tensor(DT.half, [64, 128], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            r = Var(t * 64)
            n = Min(64, M - r)
            a[0:n, 0:128] <<= x[r:r + n, 0:128]
            for i in range(0, 128, 64):
                b[0:64, i:i + 64] <<= a[0:64, i:i + 64]  #~ ERROR illegal-move: does not copy inside UB
            y[r:r + n, 0:128] <<= b[0:n, 0:128]
    return y


# a2lint: launch(M=128, x=half[128, 128], y=half[128, 128])
@kernel(mode="vec")
def halves_copied(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 128], Position.UB)
    b = Tensor(DT.half, [64, 128], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            r = Var(t * 64)
            n = Min(64, M - r)
            a[0:n, 0:128] <<= x[r:r + n, 0:128]
            for i in range(0, 128, 64):
                ub_to_ub(b[0:64, i:i + 64], a[0:64, i:i + 64])
            y[r:r + n, 0:128] <<= b[0:n, 0:128]
    return y
