"""Sum of the 64-row slabs of x, where nobody clears the accumulator.

    y = x.reshape(S, 64, 64).sum(axis=0)

    x float [ROWS, 64] with ROWS = 64 * S, y float [64, 64].  Every vec lane of
    every core owns some of the rows of y.
"""
from easyasc.a2 import *

SLAB = 64
WIDTH = 64
GROUP = 8                 # rows of y per unit of work


@kernel()
def uninitialized_ub(x: GMTensor, y: GMTensor, ROWS: Var):
    ub_x = DBuff(DT.float, [GROUP, WIDTH], Position.UB)
    acc = Tensor(DT.float, [GROUP, WIDTH], Position.UB)
    ub_y = Tensor(DT.float, [GROUP, WIDTH], Position.UB)
    zeros = Tensor(DT.float, [GROUP, WIDTH], Position.UB)

    slabs = Var(ROWS // SLAB)
    count = Var(0)

    with auto_sync():
        dup(zeros, 0.0)
        for group in range(GetVecIdx(), SLAB // GROUP, GetVecNum()):
            row0 = Var(group * GROUP)
            for s in range(0, slabs):
                r = Var(s * SLAB + row0)
                ub_x[count] <<= x[r:r + GROUP, 0:WIDTH]
                # UB is undefined at kernel entry; `dup(acc, 0.0)` is missing above.
                add(acc, acc, ub_x[count])  #~ ERROR uninitialized-read
                count += 1
            add(ub_y, acc, zeros)
            y[row0:row0 + GROUP, 0:WIDTH] <<= ub_y

    return y


if __name__ == "__main__":
    import torch

    ROWS = 256
    x = torch.randn(ROWS, WIDTH).float()
    y = torch.zeros(SLAB, WIDTH).float()
    OpExec(uninitialized_ub, "", simulator=True)(x, y, ROWS)
