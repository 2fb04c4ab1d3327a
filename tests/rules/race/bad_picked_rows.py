"""Rows that data picks, and one slot for all of them: whatever the indices are, the next load overtakes the store."""
from easyasc.a2 import *


@kernel(mode="vec")
def picked_rows(table: GMTensor, index: GMTensor, y: GMTensor, M: Var):
    row_ub = Tensor(DT.half, [1, 128], Position.UB)
    index_ub = Tensor(DT.int, [1, 64], Position.UB)
    indices_loaded = SEvent(Pipe.MTE2, Pipe.S)
    row_loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    picked = Var(0)
    index_ub <<= index[0:64]
    indices_loaded.set()
    indices_loaded.wait()
    for row in range(Min(M, 64)):
        picked.GetValueFrom(index_ub[0:1, row:row + 1])
        row_ub <<= table[picked:picked + 1, 0:128]  #~ WARNING race: MTE3→MTE2
        row_loaded.set()
        row_loaded.wait()
        y[row:row + 1, 0:128] <<= row_ub
    return y
