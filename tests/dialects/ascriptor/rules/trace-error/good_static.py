"""Containers, comprehensions and assertions that Python decides."""
from ascriptor.a2 import *

PARTS = [64 * i for i in (0, 1)]
TABLE = {"gain": 2.0, "rows": 64}


@kernel(mode="vec")
def parts(x: GM[f32, (TABLE["rows"], 128)], y: GM[f32, (TABLE["rows"], 128)]):
    assert len(PARTS) == 2
    static_assert(PARTS[-1] + 64 == 128, "parts fill a row")
    ub = Tensor(f32, [TABLE["rows"], 128], Position.UB)
    columns = [ub[:, lo:lo + 64] for lo in PARTS]
    with auto_sync():
        ub <<= x
        for at, part in enumerate(columns):
            muls(part, part, TABLE["gain"] + at)
        y[0:64, 0:128] <<= ub
    return y
