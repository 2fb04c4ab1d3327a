"""Both buffers are handed back before they are filled again."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def both_ways(x: GMTensor, y: GMTensor, N: Var):
    x_in = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    used = SEvent(Pipe.V, Pipe.MTE2, preset=True)
    done = SEvent(Pipe.V, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.V, preset=True)
    for i in range(N):
        used.wait()
        x_in <<= x[i * 64:i * 64 + 64, 0:64]
        loaded.set()
        loaded.wait()
        stored.wait()
        exp(out, x_in)
        used.set()
        done.set()
        done.wait()
        y[i * 64:i * 64 + 64, 0:64] <<= out
        stored.set()
    return y


if __name__ == "__main__":
    OpExec(both_ways, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64), 4)
