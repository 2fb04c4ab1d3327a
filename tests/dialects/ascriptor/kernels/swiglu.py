"""SwiGLU for several devices: a factory makes the kernel of each.

    y = (gate * up / (1 + np.exp(-gate))).astype(f16)

    gate, up, y  f16  [M, N]       any M, N >= 1

Tiles of 32 x 128, one per step. The arithmetic runs over whole tiles: what it makes of lanes
that were never loaded is neither reduced nor stored.
"""
from functools import lru_cache
from importlib import import_module

ROWS = 32
COLUMNS = 128
EXP_LIMIT = 80.0              # exp(80) is still a finite float


@lru_cache(maxsize=None)
def kernel_for(device):
    api = import_module("ascriptor." + device)

    def clip(start, limit, size):
        """Length of the tile that begins at start."""
        return api.Min(size, limit - start)

    def swiglu(
        gate: api.GM[api.f16, ("M", "N")],
        up: api.GM[api.f16, ("M", "N")],
        y: api.GM[api.f16, ("M", "N")],
        M: api.i32,
        N: api.i32,
    ):
        gate_in = api.DBuff(api.f16, [ROWS, COLUMNS], api.Position.UB)
        up_in = api.DBuff(api.f16, [ROWS, COLUMNS], api.Position.UB)
        y_out = api.DBuff(api.f16, [ROWS, COLUMNS], api.Position.UB)
        gate_f = api.Tensor(api.f32, [ROWS, COLUMNS], api.Position.UB)
        up_f = api.Tensor(api.f32, [ROWS, COLUMNS], api.Position.UB)
        below = api.Tensor(api.f32, [ROWS, COLUMNS], api.Position.UB)
        tiles_n = api.CeilDiv(N, COLUMNS)
        beat = api.Var(0)

        with api.auto_sync():
            for tile in range(api.GetVecIdx(), api.CeilDiv(M, ROWS) * tiles_n, api.GetVecNum()):
                row0 = tile / tiles_n * ROWS
                col0 = tile % tiles_n * COLUMNS
                rows = clip(row0, M, ROWS)
                columns = clip(col0, N, COLUMNS)
                gate_in[beat, 0:rows, 0:columns] <<= gate[row0:row0 + rows, col0:col0 + columns]
                up_in[beat, 0:rows, 0:columns] <<= up[row0:row0 + rows, col0:col0 + columns]
                api.cast(gate_f, gate_in[beat])
                api.cast(up_f, up_in[beat])
                api.muls(below, gate_f, -1.0)
                api.vmins(below, below, EXP_LIMIT)
                api.exp(below, below)
                api.adds(below, below, 1.0)
                api.mul(up_f, up_f, gate_f)
                api.div(up_f, up_f, below)
                api.cast(y_out[beat], up_f, round_mode=api.RoundMode.TO_EVEN)
                y[row0:row0 + rows, col0:col0 + columns] <<= y_out[beat, 0:rows, 0:columns]
                beat += 1
        return y

    return api.kernel(mode="vec", block_dim=8)(swiglu)


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for device in ("a2", "a3"):
        for M, N in [(1, 1), (33, 127), (64, 200)]:
            gate = torch.randn(M, N).half()
            up = torch.randn(M, N).half()
            y = torch.empty(M, N).half()
            OpExec(kernel_for(device), launcher="sim", device=device)(gate, up, y, M, N)
