"""An event on the scalar unit does as well."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def event(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    peak = Tensor(DT.float, [1, 64], Position.UB)
    limit = Var(0.0)
    done = SEvent(Pipe.V, Pipe.S)
    with auto_sync():
        tile <<= x[0:64, 0:64]
        cmax(peak, tile)
        done.set()
        done.wait()
        limit.GetValueFrom(peak)
        muls(tile, tile, limit)
        y[0:64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(event, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
