# A number is stored to UB and read by V: no pipe waits for the scalar unit. `order` must not be proved without saying so.
#~ VERDICT at_once.order: proved a scalar store to UB has landed
#~ VERDICT not_at_all.order: proved
from easyasc.a2 import *


@kernel(mode="vec")
def at_once(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    first = Var(1.0)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        bar_all()
        first.SetValueTo(tile)
        muls(tile, tile, 2.0)
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def not_at_all(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        dup(tile[0:1, 0:8], 1.0, count=8)
        muls(tile, tile, 2.0)
        y[0:8, 0:64] <<= tile
    return y
