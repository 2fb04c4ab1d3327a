# A set() outside of the branch with its wait(): what moves keeps its comment
"""The event is set by cores that never wait for it."""
from easyasc.a2 import *

@kernel(mode="vec")
def unguarded(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    tile = GetVecIdx()
    if tile < N:
        # The slot is free.
        stored.wait()  # since the last tile
        ub <<= x[tile * 64:tile * 64 + 64, 0:64]
        loaded.set()
        loaded.wait()
        y[tile * 64:tile * 64 + 64, 0:64] <<= ub
    stored.set()  # IMPORTANT: do not remove, see issue 42  #~ WARNING release-unguarded: `stored.set()` is outside of the branch that
    return y
