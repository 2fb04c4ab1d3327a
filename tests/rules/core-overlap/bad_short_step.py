"""Tiles of thirty-two rows are stored twenty-four rows apart."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_short_step(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    if core < 2 and sb == 0:
        with auto_sync():
            src0 = Var(core * 32)
            dst0 = Var(core * 24)
            tile <<= x[src0:src0 + 32, 0:64]
            muls(out, tile, 2.0)
            y[dst0:dst0 + 32, 0:64] <<= out  #~ ERROR core-overlap: that core 0 has stored
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.empty(56, 64)
    OpExec(bad_short_step, "", simulator=True)(x, y)
