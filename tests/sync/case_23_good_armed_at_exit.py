"""An event that is set from the start stays armed at the exit: as many sets as waits."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def armed_at_exit(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for i in range(N):
        stored.wait()
        ub <<= x[i * 64:i * 64 + 64, 0:64]
        loaded.set()
        loaded.wait()
        y[i * 64:i * 64 + 64, 0:64] <<= ub
        stored.set()
    return y


if __name__ == "__main__":
    OpExec(armed_at_exit, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64), 4)
