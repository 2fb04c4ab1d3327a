"""What a launch leaves open breaks nothing."""
from easyasc.a2 import *
import torch


# a2lint: shapes(x=float[M, D], y=float[M, D])
# a2lint: assume(D >= 64)
# a2lint: launch(M=100)
# a2lint: launch(M=100, D=64)
# a2lint: launch(M=100, x=[M, 64])
@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


def main(path):
    x = torch.load(path)  # its shape is not known
    OpExec(copy, "out")(x, torch.zeros(100, 64), 100)
