"""The rows of a tail are split in halves."""
from ascriptor.a2 import *


@kernel()
def work(x: GM[f32, ("M", 256)], y: GM[f32, ("M", 256)]):
    ub = Tensor(f32, [16, 256], Position.UB)
    out = Tensor(f32, [16, 256], Position.UB)
    columns = Tensor(f32, [1, 256], Position.UB)
    mask = Tensor(u8, [16, 32], Position.UB)
    lowest = Tensor(f32, [1, 64], Position.UB)
    sb = GetSubBlockIdx()
    with auto_sync():
        columns <<= x[0:1, 0:256]
        dup(lowest, -1.0e30)
        for r in range(0, 16):
            compare_scalar(mask[r:r + 1, 0:32], columns, (sb * 16 + r) * 1.0, CompareMode.LT)
        for m0 in range(GetCubeIdx() * 32, M, GetCubeNum() * 32):
            valid = Min(32, M - m0)
            rows = CeilDiv(valid, 2)
            row = Var(sb * rows)
            ub[0:rows, 0:256] <<= x[m0 + row:m0 + row + rows, 0:256]
            select(out, mask, ub, lowest, SelectMode.TENSOR_SCALAR)  #~ WARNING stale-diagonal-mask: built for fixed rows of each lane
            y[m0 + row:m0 + row + rows, 0:256] <<= out[0:rows, 0:256]
    return y
