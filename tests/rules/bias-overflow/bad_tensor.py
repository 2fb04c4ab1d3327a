"""A ring in BT of twice the table."""
from easyasc.a2 import *


@kernel()
def load_bias(bias: GMTensor, c: GMTensor, M: Var):  #~ WARNING signature: `c` is returned, and nothing is stored to it
    l1_bias = Tensor(DT.float, [1, 256], Position.L1, layout=Layout.ND)
    bt = DBuff(DT.float, [1, 256], Position.BT)  #~ ERROR bias-overflow: needs 2 KB; the bias table has 1 KB
    with auto_sync():
        l1_bias <<= bias[0:1, 0:256]
        bt[0] <<= l1_bias

    return c
