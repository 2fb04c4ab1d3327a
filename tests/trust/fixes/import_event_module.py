# An event between two pipes in a file that imports the facade as a module
import easyasc.a2 as ea


@ea.kernel(mode="vec")
def scaled(x: ea.GMTensor, y: ea.GMTensor, N: ea.Var):
    tile = ea.Tensor(ea.DT.float, [64, 64], ea.Position.UB)
    with ea.auto_sync():
        for t in ea.range(ea.GetVecIdx(), N, ea.GetVecNum()):
            ea.dup(tile, 0.0)
            tile[0:32, 0:64] <<= x[t * 64:t * 64 + 32, 0:64]  #~ WARNING race: gm_to_ub_pad() writes `tile[0:32, 0
            ea.exp(tile, tile)
            y[t * 64:t * 64 + 64, 0:64] <<= tile
    return y
