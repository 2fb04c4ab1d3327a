"""Random indices into halves."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def pick(x: GMTensor, order: GMTensor, y: GMTensor):
    values = Tensor(DT.half, [1, 128], Position.UB)
    index = Tensor(DT.uint32, [1, 128], Position.UB)
    picked = Tensor(DT.half, [1, 128], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            values <<= x[0:1, 0:128]
            index <<= order[0:1, 0:128]
            gather(picked, values, index)  #~ ERROR gather-offset: multiples of 2 here
            y[0:1, 0:128] <<= picked
    return y


if __name__ == "__main__":
    order = torch.randint(0, 128, (1, 128)).to(torch.uint32)
    OpExec(pick, "", simulator=True)(torch.randn(1, 128).half(), order, torch.zeros(1, 128).half())
