"""A size that somebody types in."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            n = Min(64, M - m)
            u[0:n, 0:64] <<= x[m:m + n, 0:64]
            y[m:m + n, 0:64] <<= u[0:n, 0:64]
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    M = int(input())
    OpExec(work, launcher="sim")(torch.randn(M, 64), torch.empty(M, 64))  #~ INFO launch-unreadable: the shape of this argument
