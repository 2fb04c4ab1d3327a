"""A buffer is given away to the next load while its store has not begun."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_37_bad_reloaded_before_stored(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    if GetVecIdx() == 0:
        for t in range(2):
            ub <<= x[t * 64:t * 64 + 64, 0:64]  #~ ERROR race: MTE3
            loaded.set()
            loaded.wait()
            y[t * 64:t * 64 + 64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    x = torch.randn(128, 64)
    y = torch.empty(128, 64)
    OpExec(case_37_bad_reloaded_before_stored, "", simulator=True)(x, y)
