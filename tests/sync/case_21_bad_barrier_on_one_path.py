"""The barrier stands in a branch that not every launch takes."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def barrier_on_one_path(y: GMTensor, N: Var):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    done = SEvent(Pipe.V, Pipe.MTE3)
    dup(a, 1.0)
    if N > 0:
        bar_v()
    add(b, a, a)  #~ ERROR race: bar_v
    done.set()
    done.wait()
    y[0:64, 0:64] <<= b
    return y


if __name__ == "__main__":
    OpExec(barrier_on_one_path, "", simulator=True)(torch.zeros(64, 64), 0)
