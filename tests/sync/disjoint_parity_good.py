"""Two slots by parity, each with its own event: the next load does not wait for this turn."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def disjoint_parity(x: GMTensor, y: GMTensor, N: Var):
    x_in = DBuff(DT.float, [64, 64], Position.UB)
    loaded = DEvent(Pipe.MTE2, Pipe.MTE3)
    stored = DEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for i in range(N):
        stored.wait()
        x_in[i] <<= x[i * 64:i * 64 + 64, 0:64]
        loaded.set()
        loaded.wait()
        y[i * 64:i * 64 + 64, 0:64] <<= x_in[i]
        stored.set()
    return y


if __name__ == "__main__":
    OpExec(disjoint_parity, "", simulator=True)(torch.randn(384, 64), torch.zeros(384, 64), 6)
