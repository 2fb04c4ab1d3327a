# The second dialect: the name that a fix needs is imported, also where no fix is safe
from ascriptor.a2 import GM, f32, kernel, Tensor, Position, auto_sync, muls, add, GetVecIdx, GetVecNum
@kernel(mode="vec")
def k(x: GM[f32, ("N", 64)], y: GM[f32, ("N", 64)]):
    u = Tensor(f32, [4, 64], Position.UB)
    a = Tensor(f32, [4, 64], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), N // 4, GetVecNum()):
            muls(a, a, 0.0)  #~ ERROR zero-by-multiply: muls() does not clear `a` [4,64]
            u <<= x[t * 4:t * 4 + 4, 0:64]
            add(a, a, u)
            y[t * 4:t * 4 + 4, 0:64] <<= a
    return y
