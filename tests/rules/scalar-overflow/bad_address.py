"""The row of a tile wraps: it lies outside of both tensors, for that reason alone."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def rows_of_a_byte(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    row = Var(0, DT.int8)
    with auto_sync():
        if GetVecIdx() == 0:
            for step in range(0, 20):
                tile <<= x[row:row + 8, 0:64]  #~ ERROR scalar-overflow: is an address or size of gm_to_ub_pad()
                y[row:row + 8, 0:64] <<= tile  #~ ERROR scalar-overflow: is an address or size of ub_to_gm_pad()
                row += 8
    return y


if __name__ == "__main__":
    OpExec(rows_of_a_byte, "", simulator=True)(torch.randn(160, 64), torch.zeros(160, 64))
