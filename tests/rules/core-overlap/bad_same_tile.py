"""Every core stores its own tile to the same place."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_same_tile(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    if core < 3 and sb == 0:
        with auto_sync():
            src0 = Var(core * 32)
            dst0 = Var(0)
            tile <<= x[src0:src0 + 32, 0:64]
            muls(out, tile, 2.0)
            y[dst0:dst0 + 32, 0:64] <<= out  #~ ERROR core-overlap: on core 1 stores other values
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(96, 64)
    y = torch.empty(32, 64)
    OpExec(bad_same_tile, "", simulator=True)(x, y)
