# A number is read from UB while its load is running: the scalar unit waits for no pipe.
from easyasc.a2 import *


@kernel(mode="vec")
def at_once(x: GMTensor, g: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    gains = Tensor(DT.float, [1, 64], Position.UB)
    gain = Var(0.0)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        gains <<= g[0:1, 0:64]
        gain.GetValueFrom(gains)  #~ WARNING scalar-hazard: nothing orders MTE2→S
        muls(tile, tile, gain)
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def after_an_event(x: GMTensor, g: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    gains = Tensor(DT.float, [1, 64], Position.UB)
    gain = Var(0.0)
    here = SEvent(Pipe.MTE2, Pipe.S)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        gains <<= g[0:1, 0:64]
        here.set()
        here.wait()
        gain.GetValueFrom(gains)
        muls(tile, tile, gain)
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def from_memory(x: GMTensor, g: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    gain = Var(0.0)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        gain.GetValueFrom(g[0:1, 0:1])
        muls(tile, tile, gain)
        y[0:8, 0:64] <<= tile
    return y
