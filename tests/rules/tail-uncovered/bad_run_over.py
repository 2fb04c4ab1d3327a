"""The last repeat ends in the next row."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_run_over(x: GMTensor, y: GMTensor):
    q = Tensor(DT.float, [16, 40], Position.UB)
    with auto_sync():
        q <<= x[0:16, 0:40]
        muls(q[0:3, 0:40], q[0:3, 0:40], 2.0)  #~ ERROR tail-uncovered: writes 8 elements past `q[0:3, 0:40]` [3,40] (repeat 2), over data of gm_to_ub_pad()
        y[0:16, 0:40] <<= q
    return y
