"""A tile is put together from two loads; what the second leaves of the first is meant to stay."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def put_together(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        if GetVecIdx() == 0:
            for m in range(0, M, 64):
                tile[slot] <<= x[m:m + 64, 0:64]
                bar_mte2()
                tile[slot][0:32, 0:64] <<= x[0:32, 0:64]
                exp(out[slot], tile[slot])
                y[m:m + 64, 0:64] <<= out[slot]
                slot += 1
    return y


if __name__ == "__main__":
    OpExec(put_together, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64), 256)
