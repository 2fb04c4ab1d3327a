# A bfloat16 element as a number: every simulator reads it, and the compiler of the device refuses the conversion.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def gate(x: GM[f32, (16, 64)], g: GM[bf16, (1, 64)], y: GM[f32, (16, 64)]):
    tile = Tensor(f32, [16, 64], Position.UB)
    factor = Var(1.0)
    with auto_sync():
        tile <<= x
        factor <<= g[0:1, 5:6]  #~ ERROR trace-error: does not compile
        muls(tile, tile, factor)
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def half_gate(x: GM[f32, (16, 64)], g: GM[f16, (1, 64)], y: GM[f32, (16, 64)]):
    tile = Tensor(f32, [16, 64], Position.UB)
    factor = Var(1.0)
    with auto_sync():
        tile <<= x
        factor <<= g[0:1, 5:6]
        muls(tile, tile, factor)
        y <<= tile
    return y
