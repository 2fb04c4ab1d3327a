# Good: rows in blocks of `CeilDiv(T, lanes)`, and columns in two halves by two stores.
from ascriptor.a2 import *


@kernel(mode="vec")
def blocks(x: GM[f32, ("M", 128)], y: GM[f32, ("M", 128)]):  #~ VERDICT ownership: holds
    u = DBuff(f32, [1, 128], Position.UB)
    v = DBuff(f32, [1, 128], Position.UB)
    n = Var(0)
    per = CeilDiv(M, GetVecNum())
    first = Var(per * GetVecIdx())
    last = Min(first + per, M)
    with auto_sync():
        for r in range(first, last):
            u[n] <<= x[r:r + 1, 0:128]
            exp(v[n], u[n])
            y[r:r + 1, 0:64] <<= v[n][:, 0:64]
            y[r:r + 1, 64:128] <<= v[n][:, 64:128]
            n += 1
    return y
