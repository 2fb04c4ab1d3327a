"""The next turn's vector instruction rewrites what is still being stored."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def rewritten_while_stored(x: GMTensor, y: GMTensor, N: Var):
    x_in = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    used = SEvent(Pipe.V, Pipe.MTE2, preset=True)
    done = SEvent(Pipe.V, Pipe.MTE3)
    for i in range(N):
        used.wait()
        x_in <<= x[i * 64:i * 64 + 64, 0:64]
        loaded.set()
        loaded.wait()
        exp(out, x_in)  #~ ERROR race: MTE3→V
        used.set()
        done.set()
        done.wait()
        y[i * 64:i * 64 + 64, 0:64] <<= out
    return y


if __name__ == "__main__":
    OpExec(rewritten_while_stored, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64), 4)
