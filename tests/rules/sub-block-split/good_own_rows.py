"""Each sub-block stores the rows it loaded."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_own_rows(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    core = GetCubeIdx()
    if GetCubeIdx() == 0:
        with auto_sync():
            src0 = Var(sb * 32)
            dst0 = Var(sb * 32)
            tile <<= x[src0:src0 + 32, 0:64]
            muls(out, tile, 2.0)
            y[dst0:dst0 + 32, 0:64] <<= out
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.empty(64, 64)
    OpExec(good_own_rows, "", simulator=True)(x, y)
