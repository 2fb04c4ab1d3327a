# One tile is loaded and stored in a loop: the next load overwrites rows that are still on their way to GM.
from easyasc.a2 import *


@kernel(mode="vec")
def one_way(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    for i in range(0, N):
        tile <<= x[i * 8:i * 8 + 8, 0:64]  #~ WARNING race: nothing orders MTE3→MTE2
        loaded.set()
        loaded.wait()
        y[i * 8:i * 8 + 8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def both_ways(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for i in range(0, N):
        stored.wait()
        tile <<= x[i * 8:i * 8 + 8, 0:64]
        loaded.set()
        loaded.wait()
        y[i * 8:i * 8 + 8, 0:64] <<= tile
        stored.set()
    return y


@kernel(mode="vec")
def by_auto_sync(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for i in range(0, N):
            tile <<= x[i * 8:i * 8 + 8, 0:64]
            y[i * 8:i * 8 + 8, 0:64] <<= tile
    return y
