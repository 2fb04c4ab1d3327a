# The call leaves out the number of rows, and another passes one argument too many.
import torch
from easyasc.a2 import *


@kernel()
def scaled(x: GMTensor, y: GMTensor, rows: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for step in range(GetVecIdx(), rows // 8, GetVecNum()):
            tile <<= x[step * 8:step * 8 + 8, 0:64]
            muls(tile, tile, 2.0)
            y[step * 8:step * 8 + 8, 0:64] <<= tile
    return y


x = torch.randn(64, 64)
y = torch.empty(64, 64)
OpExec(scaled, "out")(x, y)  #~ WARNING launch-unusable: `rows` has no value
OpExec(scaled, "out")(x, y, 64, 5)  #~ WARNING launch-unusable: 4 arguments are passed
OpExec(scaled, "out")(x, y, 64)
