"""A row that starts inside a block, and a column that does not divide."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    bits = Tensor(DT.uint8, [64, 16], Position.UB)
    odd = Tensor(DT.half, [64, 1], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        dup(bits.reinterpret(DT.int), 0)
        word = bits[1:2, 0:16].reinterpret(DT.int)  #~ ERROR reinterpret-view: `bits[1:2, 0:16]` [1,16] starts 16 bytes past a block of 32, and a view of int would too
        select(ub, bits, ub, 0.0, SelectMode.TENSOR_SCALAR)
        dup(odd, 0.0, count=64)
        pairs = odd.reinterpret(DT.float)  #~ ERROR reinterpret-view: rows of 2 bytes are no whole number of float elements: `odd` [64,1]
        y[0:64, 0:64] <<= ub
    return y
