"""A break that depends on a value cannot leave a loop that Python unrolls."""
from ascriptor.a2 import *


@kernel(mode="vec")
def parts(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        tile[0:32, :] <<= x[0:32, 0:64]
        for part in unroll(2):
            if M < part * 32:
                break  #~ ERROR trace-error: E0120
            adds(tile[part * 16:part * 16 + 16, :], tile[part * 16:part * 16 + 16, :], 1.0)
        y[0:32, 0:64] <<= tile[0:32, :]
    return y
