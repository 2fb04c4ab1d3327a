# A region is put around statements; a string of several lines stays as it is
from easyasc.a2 import *


@kernel(mode="vec")
def shown(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    out = Tensor(DT.float, [8, 64], Position.UB)
    for t in range(GetVecIdx(), N, GetVecNum()):
        # from global memory
        tile <<= x[t * 8:t * 8 + 8, 0:64]  #~ WARNING race: gm_to_ub_pad() writes `tile` on MTE2 while
        sim_print("""tile
of rows""", tile)  # what came
        muls(out, tile, 2.0)  #~ WARNING race: muls() reads `tile` on V while gm_to_ub_pad()  #~ WARNING race: muls() writes `out` on V while ub_to_gm_pad()
        y[t * 8:t * 8 + 8, 0:64] <<= out  #~ WARNING race: ub_to_gm_pad() reads `out` on MTE3 while muls()
    return y
