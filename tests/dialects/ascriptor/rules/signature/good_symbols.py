"""Declared symbols, implicit ones, products and qualified annotations."""
import ascriptor.a2 as api
from ascriptor.a2 import GM, f32


@api.kernel(mode="vec")
def scale(
    x: GM[f32, ("M", "N")],
    flat: api.GM[api.f32, "M*N"],
    y: GM[f32, ("M", "N")],
    N: api.i32,
    factor: api.DT.float,
):
    ub = api.Tensor(f32, [8, 64], api.Position.UB)
    other = api.Tensor(f32, [1, 64], api.Position.UB)
    rows = api.Min(M, 8)
    columns = api.Min(N, 64)
    with api.auto_sync():
        if api.GetVecIdx() == 0:
            ub[0:rows, 0:columns] <<= x[0:rows, 0:columns]
            other[:, 0:columns] <<= flat[0:columns]
            add(ub, ub, other)
            api.muls(ub, ub, factor)
            y[0:rows, 0:columns] <<= ub[0:rows, 0:columns]
    return y


add = api.add
