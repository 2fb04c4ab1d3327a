"""Every turn of the loop sets the event, and the wait stands behind it."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_wait_behind_loop(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    if GetVecIdx() == 0:
        for t in range(0, 2):
            tile <<= x[t * 32:t * 32 + 32, 0:64]
            loaded.set()  #~ ERROR event-unbalanced: is set more often than it is waited for in each iteration of the loop
            muls(out, tile, 2.0)  #~ ERROR race: nothing orders MTE2→V
            bar_all()
            y[t * 32:t * 32 + 32, 0:64] <<= out
            bar_all()
        loaded.wait()
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.empty(64, 64)
    OpExec(bad_wait_behind_loop, "", simulator=True)(x, y)
