# what is not compiled may follow a `break`; a branch that ends does not end the block around it.
from ascriptor.a2 import *


@kernel(mode="vec")
def nothing_follows(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
            if row > 3:
                break
                pass
                "the rows of the first four lanes"
                limit = 3
    return y


@kernel(mode="vec")
def next_to_a_branch(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            if row > 3:
                continue
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y


@kernel(mode="vec")
def unrolled(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            for part in unroll(4):
                if part == 1:
                    break
                    dup(u, 0.0)
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y
