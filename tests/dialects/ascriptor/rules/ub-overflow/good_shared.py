"""One scratch tensor for all stages."""
from ascriptor.a2 import *


def stage(dst, src, scratch):
    muls(scratch, src, 2.0)
    adds(dst, scratch, 1.0)


@kernel(mode="vec")
def chain(x: GM[f32, (80, 128)], y: GM[f32, (80, 128)]):
    tile = Tensor(f32, [80, 128], Position.UB)
    scratch = Tensor(f32, [80, 128], Position.UB)
    with auto_sync():
        tile <<= x
        for _ in unroll(4):
            stage(tile, tile, scratch)
        y[0:80, 0:128] <<= tile
    return y
