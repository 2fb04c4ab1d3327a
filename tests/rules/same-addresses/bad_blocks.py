#~ pedantic
"""Each lane looks for the largest elements of a matrix, block by block, all of them in one order."""
from easyasc.a2 import *

ROWS = 128
COLUMNS = 64


# a2lint: launch(w=half[1280, 256], y=half[5120, 64])
@kernel(mode="vec")
def largest(w: GMTensor, y: GMTensor):
    tile = DBuff(DT.half, [ROWS, COLUMNS], Position.UB)
    best = Tensor(DT.half, [ROWS, COLUMNS], Position.UB)
    first = GetVecIdx() * ROWS
    count = Var(0)
    with auto_sync():
        dup(best, -60000.0)
        for block in range(0, 10):
            row = block * ROWS
            for column in range(0, 256, COLUMNS):
                tile[count] <<= w[row:row + ROWS, column:column + COLUMNS]  #~ INFO same-addresses: begin at different iterations
                vmax(best, best, tile[count])
                count <<= count + 1
        y[first:first + ROWS, 0:COLUMNS] <<= best
    return y
