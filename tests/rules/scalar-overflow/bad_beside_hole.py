"""What is never stored for another reason is a mistake of its own."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def two_outputs(x: GMTensor, y: GMTensor, z: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    rows = Var(200, DT.int8)
    with auto_sync():
        for row in range(GetVecIdx() * 8, rows, GetVecNum() * 8):  #~ ERROR scalar-overflow: bounds this loop
            tile <<= x[row:row + 8, 0:64]
            y[row:row + 8, 0:64] <<= tile
        for row in range(GetVecIdx() * 8, 192, GetVecNum() * 8):
            tile <<= x[row:row + 8, 0:64]
            z[row:row + 8, 0:64] <<= tile  #~ ERROR output-hole: of the 12800 elements of `z`
    return y, z


if __name__ == "__main__":
    OpExec(two_outputs, "", simulator=True)(torch.randn(200, 64), torch.zeros(200, 64), torch.zeros(200, 64))
