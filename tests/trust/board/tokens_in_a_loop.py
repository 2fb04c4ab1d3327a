# An event is set in each iteration and awaited once: the second set is lost, and the device may hang at a later barrier.
from easyasc.a2 import *


@kernel(mode="vec")
def set_each_time(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    ready = SEvent(Pipe.V, Pipe.MTE3)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    tile <<= x[0:8, 0:64]
    loaded.set()
    loaded.wait()
    for i in range(0, 4):
        muls(tile, tile, 2.0)
        bar_v()
        ready.set()  #~ ERROR event-unbalanced: more often than it is waited for
    ready.wait()
    y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def set_once(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    ready = SEvent(Pipe.V, Pipe.MTE3)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    tile <<= x[0:8, 0:64]
    loaded.set()
    loaded.wait()
    for i in range(0, 4):
        muls(tile, tile, 2.0)
        bar_v()
    ready.set()
    ready.wait()
    y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def one_bar_missing(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    ready = SEvent(Pipe.V, Pipe.MTE3)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    tile <<= x[0:8, 0:64]
    loaded.set()
    loaded.wait()
    muls(tile, tile, 2.0)
    adds(tile, tile, 1.0)  #~ ERROR race: no bar_v orders them
    ready.set()
    ready.wait()
    y[0:8, 0:64] <<= tile
    return y
