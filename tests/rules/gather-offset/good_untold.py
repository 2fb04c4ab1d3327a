"""Nobody tells what the offsets are."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def pick(x: GMTensor, order: GMTensor, y: GMTensor):
    values = Tensor(DT.float, [1, 128], Position.UB)
    index = Tensor(DT.uint32, [1, 64], Position.UB)
    picked = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            values <<= x[0:1, 0:128]
            index <<= order[0:1, 0:64]
            gather(picked, values, index)
            y[0:1, 0:64] <<= picked
    return y


if __name__ == "__main__":
    order = torch.randn(1, 64).to(torch.uint32)
    OpExec(pick, "", simulator=True)(torch.randn(1, 128), order, torch.zeros(1, 64))
