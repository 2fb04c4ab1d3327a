# Twenty tokens with no way back: the counter holds 15, and the third product lands on a slot that is being read.
from easyasc.a2 import *


@kernel()
def ahead(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = DBuff(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = DBuff(DT.float, [64, 64], Position.L0C)
    tile = DBuff(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    half = GetSubBlockIdx() * 32
    core = GetCubeIdx()
    beat = Var(0)
    with auto_sync():
        weights <<= b[0:64, 0:64]
        for t in range(0, 20):
            row = core * 1280 + t * 64
            rows[beat] <<= a[row:row + 64, 0:64]
            matmul(product[beat], rows[beat], weights)
            ws[core, beat % 2, 0:64, 0:64] <<= product[beat]
            cube_ready(0)  #~ ERROR event-unbalanced: past the 15 that the hardware holds
            wait_cube(0)
            tile[beat] <<= ws[core, beat % 2, half:half + 32, 0:64]  #~ ERROR mutex-protocol
            y[row + half:row + half + 32, 0:64] <<= tile[beat]
            beat += 1
    return y


@kernel()
def there_and_back(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = DBuff(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = DBuff(DT.float, [64, 64], Position.L0C)
    tile = DBuff(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    full = CvMutex(0, depth=2)
    half = GetSubBlockIdx() * 32
    core = GetCubeIdx()
    beat = Var(0)
    with auto_sync():
        weights <<= b[0:64, 0:64]
        for t in range(0, 20):
            row = core * 1280 + t * 64
            rows[beat] <<= a[row:row + 64, 0:64]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ws[core, beat % 2, 0:64, 0:64] <<= product[beat]
            full.ready()
            full.wait()
            tile[beat] <<= ws[core, beat % 2, half:half + 32, 0:64]
            full.free()
            y[row + half:row + half + 32, 0:64] <<= tile[beat]
            beat += 1
    return y
