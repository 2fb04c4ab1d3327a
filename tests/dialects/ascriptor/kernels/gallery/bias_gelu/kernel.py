"""Bias and the tanh form of gelu, as inner functions of a factory.

    z = x + bias;   y = z / (1 + np.exp(-1.5957691216 * (z + 0.044715 * z ** 3)))
"""
from importlib import import_module

ROWS = 32
WIDTH = 256
CUBIC = 0.044715
TWO_SQRT_2_OVER_PI = 1.5957691216
EXP_LIMIT = 80.0


def make_kernels(device="a2"):
    api = import_module(f"ascriptor.{device}")
    f16, f32, UB = api.f16, api.f32, api.Position.UB

    @api.kernel(mode="vec")
    def bias_gelu(
        x: api.GM[f16, ("ROWS_X", "WIDTH_X")],
        bias: api.GM[f32, "WIDTH_X"],
        y: api.GM[f16, ("ROWS_X", "WIDTH_X")],
    ):
        x_in = api.DBuff(f16, [ROWS, WIDTH], UB)
        y_out = api.DBuff(f16, [ROWS, WIDTH], UB)
        bias_in = api.Tensor(f32, [1, WIDTH], UB)
        z = api.Tensor(f32, [ROWS, WIDTH], UB)
        t = api.Tensor(f32, [ROWS, WIDTH], UB)
        beat = api.Var(0)
        with api.auto_sync():
            bias_in[:, 0:WIDTH_X] <<= bias[0:WIDTH_X]
            for tile in range(api.GetVecIdx(), api.CeilDiv(ROWS_X, ROWS), api.GetVecNum()):
                lo = tile * ROWS
                rows = api.Min(ROWS, ROWS_X - lo)
                x_in[beat][0:rows, 0:WIDTH_X] <<= x[lo:lo + rows, 0:WIDTH_X]
                api.cast(z, x_in[beat])
                for part in api.unroll(0, WIDTH, 64):
                    if part < WIDTH_X:
                        columns = z[:, part:part + 64]
                        api.add(columns, columns, bias_in[:, part:part + 64])
                api.mul(t, z, z)
                api.muls(t, t, CUBIC)
                api.adds(t, t, 1.0)
                api.mul(t, t, z)
                api.muls(t, t, -TWO_SQRT_2_OVER_PI)
                api.vmins(t, t, EXP_LIMIT)
                api.exp(t, t)
                api.adds(t, t, 1.0)
                api.div(z, z, t)
                api.cast(y_out[beat], z, round_mode=api.RoundMode.TO_EVEN)
                y[lo:lo + rows, 0:WIDTH_X] <<= y_out[beat][0:rows, 0:WIDTH_X]
                beat += 1
        return y

    return {"bias_gelu": bias_gelu}
