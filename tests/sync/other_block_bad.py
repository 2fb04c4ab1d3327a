"""Only core 3 goes without the event: the race is not on block 0."""
import torch

from easyasc.a2 import *

@kernel()
def other_block(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    lane = GetVecIdx()
    ub <<= x[lane * 64:lane * 64 + 64, 0:64]
    if lane != 6:
        loaded.set()
        loaded.wait()
    y[lane * 64:lane * 64 + 64, 0:64] <<= ub  #~ ERROR race: MTE2→MTE3
    return y


if __name__ == "__main__":
    OpExec(other_block, "", simulator=True)(torch.randn(2560, 64), torch.zeros(2560, 64))
