# An event between two pipes: its names are imported as the file does it
from easyasc.a2 import range, kernel, GMTensor, Var, Tensor, DT, Position, auto_sync, dup, exp, GetVecIdx, GetVecNum


@kernel(mode="vec")
def scaled(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            dup(tile, 0.0)
            tile[0:32, 0:64] <<= x[t * 64:t * 64 + 32, 0:64]  #~ WARNING race: gm_to_ub_pad() writes `tile[0:32, 0
            exp(tile, tile)
            y[t * 64:t * 64 + 64, 0:64] <<= tile
    return y
