"""A fill of the first row leaves the data in the others, which all lanes have loaded."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def lanes(x: GMTensor, total: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    out = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        muls(out, tile, 2.0)
        y[GetVecIdx() * 8:GetVecIdx() * 8 + 8, 0:64] <<= out
        dup(tile[0:1, 0:64], 1.0)
        with atomic_add():
            total[0:8, 0:64] <<= tile  #~ ERROR atomic-double-count
    return y


if __name__ == "__main__":
    OpExec(lanes, "", simulator=True)(torch.randn(8, 64), torch.zeros(8, 64), torch.zeros(320, 64))
