# A pair of pipes has eight ids: the ninth is not there, however the events are declared.
from easyasc.a2 import *


@kernel(mode="vec")
def nine(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    spare = [TEvent(Pipe.MTE2, Pipe.V) for _ in unroll(2)]
    more = DEvent(Pipe.MTE2, Pipe.V, preset=True)  #~ ERROR event-budget: take 9 ids; the pair has 8
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    stored = SEvent(Pipe.V, Pipe.MTE3)
    tile <<= x[0:8, 0:64]
    loaded.set()
    loaded.wait()
    muls(tile, tile, 2.0)
    stored.set()
    stored.wait()
    y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def the_way_back(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    spare = [TEvent(Pipe.V, Pipe.MTE2) for _ in unroll(2)]
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    stored = SEvent(Pipe.V, Pipe.MTE3)
    tile <<= x[0:8, 0:64]
    loaded.set()
    loaded.wait()
    muls(tile, tile, 2.0)
    stored.set()
    stored.wait()
    y[0:8, 0:64] <<= tile
    return y
