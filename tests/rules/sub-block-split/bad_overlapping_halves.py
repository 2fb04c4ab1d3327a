"""The second half starts eight rows early."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_overlapping_halves(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    if GetCubeIdx() == 0:
        with auto_sync():
            src0 = Var(sb * 32)
            dst0 = Var(sb * 24)
            tile <<= x[src0:src0 + 32, 0:64]
            muls(out, tile, 2.0)
            y[dst0:dst0 + 32, 0:64] <<= out  #~ ERROR sub-block-split: of the same core
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.empty(56, 64)
    OpExec(bad_overlapping_halves, "", simulator=True)(x, y)
