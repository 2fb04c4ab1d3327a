# Good: lanes add different rows to one place: a sum over rows.
from ascriptor.a2 import *


@kernel(mode="vec")
def total(x: GM[f32, ("M", 64)], y: GM[f32, (1, 64)]):  #~ VERDICT ownership: holds lanes add different data to `y`
    u = DBuff(f32, [1, 64], Position.UB)
    v = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            u[n] <<= x[r:r + 1, 0:64]
            muls(v[n], u[n], 2.0)
            with atomic_add():
                y[0:1, 0:64] <<= v[n]
            n += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec
    OpExec(total, launcher="sim", block_dim=2, seed_outputs=True)(torch.randn(33, 64), torch.zeros(1, 64))
