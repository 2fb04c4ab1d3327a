# Vector instructions that depend on each other, outside of auto_sync(): the second one may read what the first has not written.
from easyasc.a2 import *


@kernel(mode="vec")
def at_once(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    twice = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    scaled = SEvent(Pipe.V, Pipe.MTE3)
    tile <<= x[0:8, 0:64]
    loaded.set()
    loaded.wait()
    muls(twice, tile, 2.0)
    adds(twice, twice, 1.0)  #~ ERROR race
    scaled.set()
    scaled.wait()
    y[0:8, 0:64] <<= twice
    return y


@kernel(mode="vec")
def after_a_barrier(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    twice = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    scaled = SEvent(Pipe.V, Pipe.MTE3)
    tile <<= x[0:8, 0:64]
    loaded.set()
    loaded.wait()
    muls(twice, tile, 2.0)
    bar_v()
    adds(twice, twice, 1.0)
    scaled.set()
    scaled.wait()
    y[0:8, 0:64] <<= twice
    return y


@kernel(mode="vec")
def by_auto_sync(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    twice = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        muls(twice, tile, 2.0)
        adds(twice, twice, 1.0)
        y[0:8, 0:64] <<= twice
    return y
