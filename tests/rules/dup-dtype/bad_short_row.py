"""Less than a repeat: through a wider view, the count has to be said."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_short_row(x: GMTensor, y: GMTensor):
    mask = Tensor(DT.uint8, [1, 64], Position.UB)
    tile = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:1, 0:64]
        dup(mask, 0)  #~ ERROR dup-dtype: `mask` is uint8
        select(tile, mask, tile, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:1, 0:64] <<= tile
    return y
