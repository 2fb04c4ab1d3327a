"""Work that is given by numbers in memory: segments of any length, and a cut by a running sum.

    segment_mean  y[s] = x[begin[s]:end[s]].mean(axis=0), 0 for an empty segment
                  x  f32  [T, 64];   begin, end  i32  [NS];   y  f32  [NS, 64]
    nucleus       keep[r] = smallest n with probs[r, :n].sum() >= p, at most N
                  probs  f32  [M, N], sorted downwards;   keep  i32  [M];   1 <= N <= 256

Both run loops on the scalar unit, with bounds that it reads itself.
"""
from ascriptor.a2 import *

D = 64
ROWS = 32
WIDTH = 256


@kernel(mode="vec", block_dim=6)
def segment_mean(
    x: GM[f32, ("T", D)],
    begin: GM[i32, "NS"],
    end: GM[i32, "NS"],
    y: GM[f32, ("NS", D)],
):
    tile = DBuff(f32, [ROWS, D], Position.UB)
    mean = DBuff(f32, [1, D], Position.UB)
    lo = Var(0)
    hi = Var(0)
    beat = Var(0)
    done = Var(0)

    with auto_sync():
        for s in range(GetVecIdx(), NS, GetVecNum()):
            lo <<= begin[s:s + 1]
            hi <<= end[s:s + 1]
            lo.set(Max(Min(lo, T), 0))
            hi.set(Max(Min(hi, T), lo))
            length = hi - lo
            dup(mean[done], 0.0)
            for row0 in range(lo, hi, ROWS):
                rows = Min(ROWS, hi - row0)
                tile[beat][0:rows, :] <<= x[row0:row0 + rows, 0:D]
                for r in range(rows):
                    add(mean[done], mean[done], tile[beat][r:r + 1, :])
                beat += 1
            share = 1.0 / (length * 1.0) if length > 0 else 0.0
            muls(mean[done], mean[done], share)
            y[s:s + 1, 0:D] <<= mean[done]
            done += 1
    return y


@kernel(mode="vec")
def nucleus(probs: GM[f32, ("M", "N")], keep: GM[i32, "M"], p: f32):
    row = DBuff(f32, [1, WIDTH], Position.UB)
    kept = DBuff(i32, [1, 8], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.S)
    row_free = DEvent(Pipe.S, Pipe.MTE2, preset=True)
    written = SEvent(Pipe.S, Pipe.MTE3)
    kept_free = DEvent(Pipe.MTE3, Pipe.S, preset=True)
    value = Var(0.0)
    mass = Var(0.0)
    count = Var(0)
    beat = Var(0)

    for r in range(GetVecIdx(), M, GetVecNum()):
        row_free.wait()
        row[beat][:, 0:N] <<= probs[r:r + 1, 0:N]
        loaded.set()
        loaded.wait()
        mass.set(0.0)
        count.set(0)
        for c in range(N):
            value.GetValueFrom(row[beat][0:1, c:c + 1])
            mass += value
            count += 1
            if mass >= p:
                break
        row_free.set()
        kept_free.wait()
        count.SetValueTo(kept[beat][0:1, 0:1])
        written.set()
        written.wait()
        keep[r:r + 1] <<= kept[beat][:, 0:1]
        kept_free.set()
        beat += 1
    return keep


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    x = torch.randn(100, D)
    begin = torch.arange(0, 90, 10, dtype=torch.int32)
    end = torch.arange(5, 95, 10, dtype=torch.int32)
    OpExec(segment_mean, launcher="sim")(x, begin, end, torch.empty(9, D))

    for M, N in [(1, 1), (7, 256), (50, 33)]:
        probs = torch.rand(M, N)
        OpExec(nucleus, launcher="sim")(probs, torch.empty(M, dtype=torch.int32), 0.9)
