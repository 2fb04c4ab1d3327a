"""gather() has no count: on silicon a counted one picks other lanes."""
from ascriptor.a2 import *


@kernel(mode="vec")
def pick(x: GM[f32, (1, 64)], index: GM[u32, (1, 64)], y: GM[f32, (1, 64)]):
    row = Tensor(f32, [1, 64], Position.UB)
    offset = Tensor(u32, [1, 64], Position.UB)
    out = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        row <<= x
        offset <<= index
        gather(out, row, offset, count=32)  #~ ERROR trace-error: count
        y <<= out
    return y
