# Good: the length of the work is a parameter of its own, so that tensors of one symbolic extent have to be as long
from ascriptor.a2 import *

TILE = 512


@kernel(mode="vec")
def twice(x: GM[f32, (1, "N")], y: GM[f32, (1, "N")], z: GM[f32, (1, "N")], count: i32):
    #~ VERDICT bounds: proved-if x is at least [?, count]
    #~ VERDICT ownership: proved-if z is at most [?, count]
    a = DBuff(DT.float, [1, TILE], Position.UB)
    b = DBuff(DT.float, [1, TILE], Position.UB)
    tiles = CeilDiv(count, TILE)
    per = CeilDiv(tiles, GetVecNum())
    first = Var(per * GetVecIdx())
    last = Min(first + per, tiles)
    with auto_sync():
        for t in range(first, last):
            at = Var(t * TILE)
            valid = Min(TILE, count - at)
            a[t] <<= x[0:1, at:at + valid]
            muls(b[t], a[t], 2.0)
            y[0:1, at:at + valid] <<= b[t]
            z[0:1, at:at + valid] <<= b[t]
    return y, z
