#~ pedantic
"""One operand is computed by the vec side: what it needs of precision is another question."""
from easyasc.a2 import *

ROWS = 64
DEPTH = 64


# a2lint: launch(a=float[1280, 64], b=float[1280, 64], c=float[1280, 64])
@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    tile = Tensor(DT.float, [ROWS, DEPTH], Position.UB)
    between = split_workspace(DT.float, [GetCubeNum(), ROWS, DEPTH])
    between.bind_vc_mutex(0)
    left = Tensor(DT.float, [ROWS, DEPTH], Position.L1)
    right = Tensor(DT.float, [ROWS, DEPTH], Position.L1)
    sums = Tensor(DT.float, [ROWS, ROWS], Position.L0C)
    core = GetCubeIdx()
    first = core * ROWS
    half = GetSubBlockIdx() * (ROWS // 2)
    with auto_sync():
        between.lock()
        tile[0:ROWS // 2, 0:DEPTH] <<= a[first + half:first + half + ROWS // 2, 0:DEPTH]
        exp(tile[0:ROWS // 2, 0:DEPTH], tile[0:ROWS // 2, 0:DEPTH])
        between[core, half:half + ROWS // 2, 0:DEPTH] <<= tile[0:ROWS // 2, 0:DEPTH]
        between.ready()
        between.wait()
        left <<= between[core, 0:ROWS, 0:DEPTH]
        between.free()
        right <<= b[first:first + ROWS, 0:DEPTH]
        matmul(sums, left, right)
        c[first:first + ROWS, 0:ROWS] <<= sums
    return c
