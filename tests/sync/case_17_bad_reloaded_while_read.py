"""The next turn's load overwrites what a vector instruction still reads."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def reloaded_while_read(x: GMTensor, y: GMTensor, N: Var):
    x_in = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.V, preset=True)
    for i in range(N):
        x_in <<= x[i * 64:i * 64 + 64, 0:64]  #~ ERROR race: V→MTE2
        loaded.set()
        loaded.wait()
        stored.wait()
        exp(out, x_in)
        done.set()
        done.wait()
        y[i * 64:i * 64 + 64, 0:64] <<= out
        stored.set()
    return y


if __name__ == "__main__":
    OpExec(reloaded_while_read, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64), 4)
