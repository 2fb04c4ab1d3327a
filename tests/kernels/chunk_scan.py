"""Causal linear attention by a scan over chunks: the state is carried from chunk to chunk.

    out[i] = sum over j <= i of (q[i] . k[j]) * v[j]

    q, k, v, out  half  [BH, S, 64]      any BH, S >= 1

Inside a chunk of 64 rows the masked product (Q K^T) V is formed, everything
before the chunk stands in the state H, the sum of k[j]^T v[j]:

    vec   H, rounded to half                    -> ws_h (mutex 0, vec to cube)
    cube  A = Q K^T                             -> ws_a (mutex 1, cube to vec)
    vec   P = A below the diagonal, else 0      -> ws_p (mutex 2, vec to cube)
    cube  U = K^T V                             -> ws_u (mutex 3, cube to vec)
    cube  O = P V + Q H                         -> ws_o (mutex 4, cube to vec)
    vec   out = O,  H = H + U

Each sub-block owns half of the rows of A, P and O, and half of those of H and U.
ws_h and ws_u have one slot and mutexes of depth 1: no state is made before the
last one has been used.

Tails: the last chunk of a sequence may be short.  P hides columns after the
diagonal, P V and K^T V take the valid rows of K and V alone, and rows of O after
S travel with their tile and are not stored.

Memory in bytes:
    L1   l1_q, l1_k, l1_v, l1_p  4 x 2 x 64 x 64 x 2 =  65536
         l1_h                            64 x 64 x 2 =   8192    73728 of 524288 per core
    L0C  l0c_a, l0c_o            2 x 2 x 64 x 64 x 4 =  65536
         l0c_u                           64 x 64 x 4 =  16384    81920 of 131072
    UB   ub_a, ub_o              2 x 2 x 32 x 64 x 4 =  32768
         ub_u, state                 2 x 32 x 64 x 4 =  16384
         ub_p, ub_out            2 x 2 x 32 x 64 x 2 =  16384
         half_state                  1 x 32 x 64 x 2 =   4096
         columns, masks, nothing                    <=   1024 of 196608 per sub-block
    GM   ws_a, ws_o  cores x 2 x 64 x 64 x 4;  ws_p  cores x 2 x 64 x 64 x 2
         ws_u  cores x 64 x 64 x 4;  ws_h  cores x 64 x 64 x 2
"""
from easyasc.a2 import *

CHUNK = 64
HALF = CHUNK // 2
DIM = 64
MASK_BYTES = CHUNK // 8

# Lanes of a 64-lane repeat whose number has bit 0, 1, .. 5 set.
LANES_WITH_BIT = [
    0xAAAAAAAAAAAAAAAA,
    0xCCCCCCCCCCCCCCCC,
    0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00,
    0xFFFF0000FFFF0000,
    0xFFFFFFFF00000000,
]


@func()
def number_columns(columns):
    """columns[0, j] = j."""
    dup(columns, 0)
    for bit in unroll(6):
        bar_v()
        set_mask(0, LANES_WITH_BIT[bit])
        adds(columns, columns, 1 << bit)
    reset_mask()
    bar_v()


@kernel()
def chunk_scan(q: GMTensor, k: GMTensor, v: GMTensor, out: GMTensor, BH: Var, S: Var):
    l1_q = DBuff(DT.half, [CHUNK, DIM], Position.L1)
    l1_k = DBuff(DT.half, [CHUNK, DIM], Position.L1)
    l1_v = DBuff(DT.half, [CHUNK, DIM], Position.L1)
    l1_p = DBuff(DT.half, [CHUNK, CHUNK], Position.L1)
    l1_h = Tensor(DT.half, [DIM, DIM], Position.L1)
    l0c_a = DBuff(DT.float, [CHUNK, CHUNK], Position.L0C)
    l0c_o = DBuff(DT.float, [CHUNK, DIM], Position.L0C)
    l0c_u = Tensor(DT.float, [DIM, DIM], Position.L0C)

    ub_a = DBuff(DT.float, [HALF, CHUNK], Position.UB)
    ub_o = DBuff(DT.float, [HALF, DIM], Position.UB)
    ub_u = Tensor(DT.float, [HALF, DIM], Position.UB)
    ub_p = DBuff(DT.half, [HALF, CHUNK], Position.UB)
    ub_out = DBuff(DT.half, [HALF, DIM], Position.UB)
    state = Tensor(DT.float, [HALF, DIM], Position.UB)
    half_state = Tensor(DT.half, [HALF, DIM], Position.UB)
    columns = Tensor(DT.int, [1, CHUNK], Position.UB)
    below = Tensor(DT.uint8, [HALF, MASK_BYTES], Position.UB)
    nothing = Tensor(DT.float, [1, CHUNK], Position.UB)

    ws_h = split_workspace(DT.half, [GetCubeNum(), DIM, DIM])
    ws_a = split_workspace(DT.float, [GetCubeNum(), 2, CHUNK, CHUNK])
    ws_p = split_workspace(DT.half, [GetCubeNum(), 2, CHUNK, CHUNK])
    ws_u = split_workspace(DT.float, [GetCubeNum(), DIM, DIM])
    ws_o = split_workspace(DT.float, [GetCubeNum(), 2, CHUNK, DIM])
    states = VcMutex(0, depth=1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE2)
    products = CvMutex(1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    masked = VcMutex(2, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE2)
    updates = CvMutex(3, depth=1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    outputs = CvMutex(4, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)

    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * HALF)
    chunks = CeilDiv(S, CHUNK)
    count = Var(0)

    dup(nothing, 0.0)
    number_columns(columns)
    for r in range(0, HALF):
        compare_scalar(below[r:r + 1, 0:MASK_BYTES], columns, half_row + r + 1, CompareMode.LT)

    with auto_sync():
        for batch in range(core, BH, GetCubeNum()):
            dup(state, 0.0)
            for chunk in range(0, chunks):
                s0 = Var(chunk * CHUNK)
                valid = Min(CHUNK, S - s0)
                slot = Var(var_mod(count, 2))

                # ---- vec: what came before this chunk
                cast(half_state, state, round_mode=RoundMode.TO_EVEN)
                states.lock()
                ws_h[core, half_row:half_row + HALF, 0:DIM] <<= half_state
                states.ready()

                # ---- cube: products inside of the chunk, and its share of the state
                l1_q[count] <<= q[batch, s0:s0 + valid, 0:DIM]
                l1_k[count] <<= k[batch, s0:s0 + valid, 0:DIM]
                l1_v[count] <<= v[batch, s0:s0 + valid, 0:DIM]
                matmul(l0c_a[count], l1_q[count], l1_k[count], m=CHUNK, n=CHUNK, k=DIM)
                products.lock()
                ws_a[core, slot, 0:CHUNK, 0:CHUNK] <<= l0c_a[count]
                products.ready()
                matmul(l0c_u, l1_k[count].T, l1_v[count].T, m=DIM, n=DIM, k=valid)
                updates.lock()
                ws_u[core, 0:DIM, 0:DIM] <<= l0c_u
                updates.ready()

                # ---- vec: nothing above the diagonal
                products.wait()
                ub_a[count] <<= ws_a[core, slot, half_row:half_row + HALF, 0:CHUNK]
                products.free()
                select(ub_a[count], below, ub_a[count], nothing, SelectMode.TENSOR_SCALAR)
                cast(ub_p[count], ub_a[count], round_mode=RoundMode.TO_EVEN)
                masked.lock()
                ws_p[core, slot, half_row:half_row + HALF, 0:CHUNK] <<= ub_p[count]
                masked.ready()

                # ---- cube: inside of the chunk and before it, in one accumulator
                masked.wait()
                l1_p[count] <<= ws_p[core, slot, 0:CHUNK, 0:CHUNK]
                masked.free()
                states.wait()
                l1_h <<= ws_h[core, 0:DIM, 0:DIM]
                states.free()
                matmul(l0c_o[count], l1_p[count], l1_v[count].T, m=CHUNK, n=DIM, k=valid)
                matmul(l0c_o[count], l1_q[count], l1_h.T, is_init=False, m=CHUNK, n=DIM, k=DIM)
                outputs.lock()
                ws_o[core, slot, 0:CHUNK, 0:DIM] <<= l0c_o[count]
                outputs.ready()

                # ---- vec: store what is valid, and go on
                updates.wait()
                ub_u <<= ws_u[core, half_row:half_row + HALF, 0:DIM]
                updates.free()
                add(state, state, ub_u)
                outputs.wait()
                ub_o[count] <<= ws_o[core, slot, half_row:half_row + HALF, 0:DIM]
                outputs.free()
                cast(ub_out[count], ub_o[count], round_mode=RoundMode.TO_EVEN)
                local = Min(HALF, Max(valid - half_row, 0))
                row0 = Min(s0 + half_row, S)
                out[batch, row0:row0 + local, 0:DIM] <<= ub_out[count][0:local, 0:DIM]
                count += 1

    return out


if __name__ == "__main__":
    import torch

    for BH, S in [(1, 64), (2, 1), (1, 33), (1, 127), (3, 193), (22, 65)]:
        q = torch.randn(BH, S, DIM).half()
        k = torch.randn(BH, S, DIM).half()
        v = torch.randn(BH, S, DIM).half()
        out = torch.zeros(BH, S, DIM).half()
        OpExec(chunk_scan, "", simulator=True)(q, k, v, out, BH, S)
