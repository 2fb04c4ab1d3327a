"""Activation chains on 2-D data, one vector expression per step.

gelu    xf = x.astype(np.float32);  g = 1.5957691216 * (xf + 0.044715 * xf**3)
        y  = (xf / (1 + np.exp(-g))).astype(np.float16)
swiglu  gf, uf = gate.astype(np.float32), up.astype(np.float32)
        y = (gf * uf / (1 + np.exp(-gf))).astype(np.float16)

Shapes   every tensor half [M, N];  any M, any N >= 1
Tiling   tiles of 128 x 128, 64 rows per vec lane, numbered row by row; core c
         takes tiles c, c + cores, c + 2 * cores, ...
Tails    in both dimensions only the moves are clipped. The arithmetic runs
         over full tiles; what it makes of lanes that were never loaded is
         neither reduced nor stored.

gelu, UB per lane in bytes
    x_in       2 x [64,128] half     32768
    y_out      2 x [64,128] half     32768
    xf, u, v   3 x [64,128] float    98304
    total                           163840  (of 196608)
swiglu, UB per lane in bytes
    gate_in    2 x [64,128] half     32768
    up_in      2 x [64,128] half     32768
    y_out      2 x [64,128] half     32768
    gf, uf, e  3 x [64,128] float    98304
    total                           196608  (all of it)
"""
import torch

import easyasc.a2 as ea

TILE_M = 128
TILE_N = 128
HALF_M = TILE_M // 2
CUBIC = 0.044715
TWO_SQRT_2_OVER_PI = 1.5957691216
EXP_LIMIT = 80.0                  # exp(80) is still a finite float


@ea.func()
def one_plus_exp(t):
    # t <- 1 + exp(min(t, limit))
    t <<= ea.minimum(t, EXP_LIMIT)
    t <<= t.exp()
    t <<= t + 1.0


@ea.kernel()
def gelu(x: ea.GMTensor, y: ea.GMTensor, M: ea.Var, N: ea.Var):
    x_in = ea.DBuff(ea.DT.half, [HALF_M, TILE_N], ea.Position.UB)
    y_out = ea.DBuff(ea.DT.half, [HALF_M, TILE_N], ea.Position.UB)
    xf = ea.Tensor(ea.DT.float, [HALF_M, TILE_N], ea.Position.UB)
    u = ea.Tensor(ea.DT.float, [HALF_M, TILE_N], ea.Position.UB)
    v = ea.Tensor(ea.DT.float, [HALF_M, TILE_N], ea.Position.UB)

    sb = ea.GetSubBlockIdx()
    tiles_n = ea.CeilDiv(N, TILE_N)
    tiles = ea.Var(ea.CeilDiv(M, TILE_M) * tiles_n)
    slot = ea.Var(0)

    with ea.auto_sync():
        for tile in ea.range(ea.GetCubeIdx(), tiles, ea.GetCubeNum()):
            mt = ea.Var(tile // tiles_n)
            nt = ea.Var(tile - mt * tiles_n)
            row0 = ea.Min(mt * TILE_M + sb * HALF_M, M)
            rows = ea.Min(HALF_M, M - row0)
            col0 = ea.Var(nt * TILE_N)
            cols = ea.Min(TILE_N, N - col0)

            x_in[slot][0:rows, 0:cols] <<= x[row0:row0 + rows, col0:col0 + cols]
            xf <<= x_in[slot].cast()
            u <<= xf * xf
            u <<= u * CUBIC
            u <<= u + 1.0
            u <<= u * xf
            u <<= u * -TWO_SQRT_2_OVER_PI
            one_plus_exp(u)
            v <<= xf / u
            ea.cast(y_out[slot], v, round_mode=ea.RoundMode.TO_EVEN)
            y[row0:row0 + rows, col0:col0 + cols] <<= y_out[slot][0:rows, 0:cols]
            slot += 1
    return y


@ea.kernel()
def swiglu(gate: ea.GMTensor, up: ea.GMTensor, y: ea.GMTensor, M: ea.Var, N: ea.Var):
    gate_in = ea.DBuff(ea.DT.half, [HALF_M, TILE_N], ea.Position.UB)
    up_in = ea.DBuff(ea.DT.half, [HALF_M, TILE_N], ea.Position.UB)
    y_out = ea.DBuff(ea.DT.half, [HALF_M, TILE_N], ea.Position.UB)
    gf = ea.Tensor(ea.DT.float, [HALF_M, TILE_N], ea.Position.UB)
    uf = ea.Tensor(ea.DT.float, [HALF_M, TILE_N], ea.Position.UB)
    e = ea.Tensor(ea.DT.float, [HALF_M, TILE_N], ea.Position.UB)

    sb = ea.GetSubBlockIdx()
    tiles_n = ea.CeilDiv(N, TILE_N)
    tiles = ea.Var(ea.CeilDiv(M, TILE_M) * tiles_n)
    slot = ea.Var(0)

    with ea.auto_sync():
        for tile in ea.range(ea.GetCubeIdx(), tiles, ea.GetCubeNum()):
            mt = ea.Var(tile // tiles_n)
            nt = ea.Var(tile - mt * tiles_n)
            row0 = ea.Min(mt * TILE_M + sb * HALF_M, M)
            rows = ea.Min(HALF_M, M - row0)
            col0 = ea.Var(nt * TILE_N)
            cols = ea.Min(TILE_N, N - col0)

            gate_in[slot][0:rows, 0:cols] <<= gate[row0:row0 + rows, col0:col0 + cols]
            up_in[slot][0:rows, 0:cols] <<= up[row0:row0 + rows, col0:col0 + cols]
            gf <<= gate_in[slot].cast()
            uf <<= up_in[slot].cast()
            e <<= gf * -1.0
            one_plus_exp(e)
            uf <<= uf * gf
            gf <<= uf / e           # the gate itself is no longer needed
            ea.cast(y_out[slot], gf, round_mode=ea.RoundMode.TO_EVEN)
            y[row0:row0 + rows, col0:col0 + cols] <<= y_out[slot][0:rows, 0:cols]
            slot += 1
    return y


if __name__ == "__main__":
    for M in [1, 65, 300]:
        N = 200
        x = torch.randn(M, N).half()
        y = torch.zeros(M, N).half()
        ea.OpExec(gelu, "", simulator=True)(x, y, M, N)

    M, N = 127, 131
    gate = torch.randn(M, N).half()
    up = torch.randn(M, N).half()
    y = torch.zeros(M, N).half()
    ea.OpExec(swiglu, "", simulator=True)(gate, up, y, M, N)
