# Half of the columns of `y` are stored by no launch: ownership was "proved" and the kernel "Clean".
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=2)
def k(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):  #~ VERDICT ownership: undecided every element of `y`
    u = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            u[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:32] <<= u[n][:, 0:32]
            n += 1
    return y
