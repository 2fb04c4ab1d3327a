# select() on integer data: the data is at fault, not the packed mask, which is of the right type.
from ascriptor.a2 import *

@kernel(mode="vec", block_dim=1)
def keep(x: GM[i32, (8, 64)], y: GM[i32, (8, 64)]):
    u = Tensor(i32, [8, 64], Position.UB)
    z = Tensor(i32, [8, 64], Position.UB)
    bits = Tensor(u8, [1, 64], Position.UB)
    with auto_sync():
        u <<= x
        dup(z, 0)
        compare_scalar(bits, u, 7, CompareMode.EQ)
        select(u, bits, u, z, SelectMode.TENSOR_SCALAR)  #~ ERROR op-dtype: select() takes data of one type (half or float) and a packed mask; `u` is int
        y <<= u
    return y
