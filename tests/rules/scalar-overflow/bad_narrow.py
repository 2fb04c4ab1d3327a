"""An int8 that is given 200 holds -56: the loop never runs."""
from easyasc.a2 import *


@kernel(mode="vec")
def rows_of_a_byte(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    rows = Var(200, DT.int8)
    with auto_sync():
        for row in range(GetVecIdx() * 8, rows, GetVecNum() * 8):  #~ ERROR scalar-overflow: `int8(200)` is 200, wraps to -56 and bounds this loop
            tile <<= x[row:row + 8, 0:64]
            y[row:row + 8, 0:64] <<= tile
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(200, 64)
    y = torch.empty(200, 64)
    OpExec(rows_of_a_byte, "", simulator=True)(x, y)
