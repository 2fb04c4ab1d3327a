"""The event is set twice before the wait takes it."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_set_twice(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    if GetVecIdx() == 0:
        for t in range(0, 2):
            tile <<= x[t * 32:t * 32 + 32, 0:64]
            loaded.set()
            loaded.set()  #~ ERROR event-unbalanced: sets the event `loaded` while it is still set
            loaded.wait()
            muls(out, tile, 2.0)
            bar_all()
            y[t * 32:t * 32 + 32, 0:64] <<= out
            bar_all()
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.empty(64, 64)
    OpExec(bad_set_twice, "", simulator=True)(x, y)
