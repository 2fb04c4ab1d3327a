"""The store has waited for the load, the vector instruction behind it for nothing."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def masked_dependency(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    done = SEvent(Pipe.V, Pipe.MTE3)
    ub <<= x[0:64, 0:64]
    loaded.set()
    loaded.wait()
    y[0:64, 0:64] <<= ub
    exp(out, ub)  #~ ERROR race: MTE2→V
    done.set()
    done.wait()
    y[64:128, 0:64] <<= out
    return y


if __name__ == "__main__":
    OpExec(masked_dependency, "", simulator=True)(torch.randn(64, 64), torch.zeros(128, 64))
