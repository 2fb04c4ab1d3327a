"""auto_sync has no edge from V to MTE2: the load may come before the fill."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def fill_before_load(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        dup(tile, 0.0)
        tile[0:32, 0:64] <<= x[0:32, 0:64]  #~ ERROR race: nothing orders V→MTE2
        exp(tile, tile)
        y[0:64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(fill_before_load, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
