"""What wraps and comes back, low bits of a hash, and a mask word: nothing is lost."""
from easyasc.a2 import *


@kernel(mode="vec")
def wraps_and_returns(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    start = Var(8, DT.uint32)
    seed = Var(2463534242, DT.uint32)
    lane = Var(GetVecIdx())
    ones = Var(0xFFFFFFFFFFFFFFFF, DT.uint64)
    with auto_sync():
        slot = var_and(seed * 1664525 + 1013904223, 1)
        row = start - 16 + 8 + lane * 64
        shift = Var(slot + 27)
        tile <<= x[row:row + 64, 0:64]
        set_mask(0, var_shr(ones, shift))
        muls(tile, tile, 2.0)
        reset_mask()
        y[row:row + 64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(2560, 64)
    y = torch.empty(2560, 64)
    OpExec(wraps_and_returns, "", simulator=True)(x, y)
