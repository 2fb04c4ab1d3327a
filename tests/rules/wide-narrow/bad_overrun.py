"""A broadcast operand for 64 rows is read for 128 repeats."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_overrun(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 128], Position.UB)
    out = Tensor(DT.float, [64, 128], Position.UB)
    max8 = Tensor(DT.float, [64, 8], Position.UB)
    last = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:128]
        dup(max8, 1.0, count=512)
        dup(last, 1.0, count=512)
        sub(out, ub, max8)  #~ ERROR wide-narrow: sub() uses one row of its `src2` `max8` [64,8] per 256-byte repeat
        y[0:64, 0:128] <<= out
        y[64:128, 0:8] <<= last
    return y
