"""The product of the dimensions does not fit 64 bits."""
from ascriptor.a2 import GM, Position, Tensor, auto_sync, f16, kernel


@kernel
def k(x: GM[f16, 64, 67108864, 67108864, 67108864], y: GM[f16, 64, 64]):
    ub = Tensor(f16, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 3, 5, 0:64]  #~ ERROR gm-slice-rank: further apart
        y[0:64, 0:64] <<= ub
    return y
