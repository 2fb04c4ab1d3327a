# Twenty tokens with no way back: the counter holds 15, and the third product lands on a slot that is being read.
from ascriptor.a2 import *


@kernel(block_dim=1)
def ahead(a: GM[f16, (1280, 64)], b: GM[f16, (64, 64)], y: GM[f32, (1280, 64)]):
    rows = DBuff(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = DBuff(f32, [64, 64], Position.L0C)
    tile = DBuff(f32, [32, 64], Position.UB)
    ws = split_workspace(f32, [2, 64, 64])
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        weights <<= b
        for t in range(0, 20):
            rows[beat] <<= a[t * 64:t * 64 + 64, :]
            matmul(product[beat], rows[beat], weights)
            ws[beat % 2, 0:64, 0:64] <<= product[beat]
            cube_ready(0)  #~ ERROR event-unbalanced: past the 15 that the hardware holds
            wait_cube(0)
            tile[beat] <<= ws[beat % 2, half:half + 32, 0:64]  #~ ERROR mutex-protocol: may still be writing it on FIX of cube
            y[t * 64 + half:t * 64 + half + 32, :] <<= tile[beat]
            beat += 1
    return y


@kernel(block_dim=1)
def there_and_back(a: GM[f16, (1280, 64)], b: GM[f16, (64, 64)], y: GM[f32, (1280, 64)]):
    rows = DBuff(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = DBuff(f32, [64, 64], Position.L0C)
    tile = DBuff(f32, [32, 64], Position.UB)
    ring = GMBuff(f32, [64, 64], 2)
    full = CvMutex(0, depth=2)
    half = GetSubBlockIdx() * 32
    beat = Var(0)
    with auto_sync():
        weights <<= b
        for t in range(0, 20):
            rows[beat] <<= a[t * 64:t * 64 + 64, :]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ring[beat] <<= product[beat]
            full.ready()
            full.wait()
            tile[beat] <<= ring[beat][half:half + 32, 0:64]
            full.free()
            y[t * 64 + half:t * 64 + half + 32, :] <<= tile[beat]
            beat += 1
    return y
