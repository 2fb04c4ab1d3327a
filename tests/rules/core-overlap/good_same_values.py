"""All cores store the same values to the same place."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_same_values(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    if core < 3 and sb == 0:
        with auto_sync():
            src0 = Var(0)
            dst0 = Var(0)
            tile <<= x[src0:src0 + 32, 0:64]
            muls(out, tile, 2.0)
            y[dst0:dst0 + 32, 0:64] <<= out
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(32, 64)
    y = torch.empty(32, 64)
    OpExec(good_same_values, "", simulator=True)(x, y)
