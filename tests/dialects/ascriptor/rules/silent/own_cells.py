"""A `Var` of another one is a cell of its own, with the value from then."""
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def twice(x: GM[f32, (1, 8)], y: GM[f32, (1, 8)]):
    cells = Tensor(f32, [1, 8], Position.UB)
    value = Var(0.0, f32)
    with auto_sync():
        cells <<= x
        value <<= cells[:, 2:3]
        before = Var(value)
        value += 1.0
        value >>= cells[:, 3:4]
        before >>= cells[:, 4:5]
        bar_all()
        y <<= cells
    return y
