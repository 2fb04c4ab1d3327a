"""One value per row of GM, in rows of one block each."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_block_rows(x: GMTensor, y: GMTensor):
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        wide[0:64, 0:1] <<= x[0:64, 0:1]
        y[0:64, 0:1] <<= wide[0:64, 0:1]
    return y
