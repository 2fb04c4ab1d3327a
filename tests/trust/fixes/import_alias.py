# A name that was imported under another one is written so
from easyasc.a2 import range, kernel, GMTensor, Var, Tensor, DT, Position, auto_sync, muls, add, GetVecIdx, GetVecNum, dup as fill

@kernel(mode="vec")
def cleared(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [4, 64], Position.UB)
    a = Tensor(DT.float, [4, 64], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            muls(a, a, 0.0)  # start  #~ ERROR zero-by-multiply: muls() does not clear `a` [4,64]
            u <<= x[t * 4:t * 4 + 4, 0:64]
            add(a, a, u)
            y[t * 4:t * 4 + 4, 0:64] <<= a
    return y
