"""Given counts and strides."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [ROWS, 128], Position.UB)
    tall = Tensor(DT.float, [304, 64], Position.UB)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            stored.wait()
            ub_x[0:valid, 0:128] <<= x[r:r + valid, 0:128]
            dup(tall, 1.0, count=304 * 64)
            abs(tall, tall, repeat=300)  #~ ERROR repeat-range: abs() with 300 repeats
            abs(ub_x[0:2, 0:64], ub_x[0:2, 0:64], dst_rep_stride=256)  #~ ERROR repeat-range: dst_rep_stride=256
            y[r:r + valid, 0:128] <<= ub_x[0:valid, 0:128]
            stored.set()
            count += 1

    return y
