"""bar_v makes the vector pipe wait for itself, not the scalar unit for it."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def behind_weak_barrier(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    peak = Tensor(DT.float, [1, 64], Position.UB)
    limit = Var(0.0)
    with auto_sync():
        tile <<= x[0:64, 0:64]
        cmax(peak, tile)
        bar_v()
        limit.GetValueFrom(peak)  #~ WARNING scalar-hazard: nothing orders V→S
        muls(tile, tile, limit)
        y[0:64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(behind_weak_barrier, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
