# A number is stored to UB and read by V: no pipe waits for the scalar unit, and `order` must not be proved.
#~ VERDICT at_once.order: tested
#~ VERDICT after_a_barrier.order: proved
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def at_once(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    first = Var(1.0)
    with auto_sync():
        tile <<= x
        bar_all()
        first.SetValueTo(tile[0:1, 0:1])
        muls(tile, tile, 2.0)
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def after_a_barrier(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    first = Var(1.0)
    with auto_sync():
        tile <<= x
        bar_all()
        first.SetValueTo(tile[0:1, 0:1])
        bar_all()
        muls(tile, tile, 2.0)
        y <<= tile
    return y
