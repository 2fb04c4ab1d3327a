"""Both sub-blocks do the same work: the values agree."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_same_values(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    if GetCubeIdx() == 0:
        with auto_sync():
            src0 = Var(core * 32)
            dst0 = Var(core * 32)
            tile <<= x[src0:src0 + 32, 0:64]
            muls(out, tile, 2.0)
            y[dst0:dst0 + 32, 0:64] <<= out
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(32, 64)
    y = torch.empty(32, 64)
    OpExec(good_same_values, "", simulator=True)(x, y)
