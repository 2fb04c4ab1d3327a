"""Two pipes that only read the same bytes need no order."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def shared_reads(x: GMTensor, y: GMTensor, z: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    taken = SEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    ub <<= x[0:64, 0:64]
    loaded.set()
    taken.set()
    loaded.wait()
    y[0:64, 0:64] <<= ub
    taken.wait()
    exp(out, ub)
    done.set()
    done.wait()
    z[0:64, 0:64] <<= out
    return y, z


if __name__ == "__main__":
    OpExec(shared_reads, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64), torch.zeros(64, 64))
