"""One tile for each core."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_partitioned(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    if core < 3 and sb == 0:
        with auto_sync():
            src0 = Var(core * 32)
            dst0 = Var(core * 32)
            tile <<= x[src0:src0 + 32, 0:64]
            muls(out, tile, 2.0)
            y[dst0:dst0 + 32, 0:64] <<= out
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(96, 64)
    y = torch.empty(96, 64)
    OpExec(good_partitioned, "", simulator=True)(x, y)
