"""`cadd` leaves two numbers; the arithmetic after it takes a whole repeat of them."""
from easyasc.a2 import *


# a2lint: launch(M=40, x=float[40, 128], y=float[40, 128])
@kernel(mode="vec")
def bad_scaled_sum(x: GMTensor, y: GMTensor, M: Var):
    row_in = DBuff(DT.float, [1, 128], Position.UB)
    row_out = DBuff(DT.float, [1, 128], Position.UB)
    total = Tensor(DT.float, [1, 64], Position.UB)
    mean = Tensor(DT.float, [1, 64], Position.UB)
    turn = Var(0)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            row_in[turn] <<= x[row:row + 1, 0:128]
            cadd(total, row_in[turn])
            muls(mean, total, 1.0 / 128)
            sub(row_out[turn], row_in[turn], mean)
            y[row:row + 1, 0:128] <<= row_out[turn]  #~ ERROR uninitialized-read: stores undefined elements of `row_out[turn]`
            turn += 1
    return y
