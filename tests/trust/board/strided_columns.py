# A view whose second slice is not its last dimension: a move takes consecutive elements, not those of the view.
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def third_of_each(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [4, 8], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0, 0:4, 0:8, 3]  #~ WARNING gm-slice-rank: the columns of `x[0, 0:4, 0:8, 3]` are 16 elements apart
            y[0:4, 0:8] <<= tile
    return y


@kernel(mode="vec")
def one_of_one(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [4, 8], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0, 0:4, 0:8, 0]
            y[0:4, 0:8] <<= tile
    return y


@kernel(mode="vec")
def last_dimension(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [4, 8], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0, 0:4, 2, 0:8]
            y[0:4, 0:8] <<= tile
    return y


@kernel(mode="vec")
def one_column(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [4, 8], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            tile[0:4, 0:1] <<= x[0, 0:4, 2:3, 3]
            y[0:4, 0:1] <<= tile[0:4, 0:1]
    return y


if __name__ == "__main__":
    OpExec(third_of_each, "", simulator=True)(torch.randn(1, 4, 8, 16), torch.zeros(4, 8))
    OpExec(one_of_one, "", simulator=True)(torch.randn(1, 4, 8, 1), torch.zeros(4, 8))
    OpExec(last_dimension, "", simulator=True)(torch.randn(1, 4, 8, 16), torch.zeros(4, 8))
    OpExec(one_column, "", simulator=True)(torch.randn(1, 4, 8, 16), torch.zeros(4, 1))
