# a selection between tensors needs eight numbers of scratch.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def pick(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    v = Tensor(f32, [8, 64], Position.UB)
    m = Tensor(u8, [1, 64], Position.UB)
    tmp = Tensor(u32, [1, 4], Position.UB)
    with auto_sync():
        u <<= x
        compare_scalar(m, u, 0.0, CompareMode.GT)
        select(v, m, u, u, SelectMode.TENSOR_TENSOR, tmp_addr_buf=tmp)  #~ ERROR trace-error: which has 4
        y <<= v
    return y
