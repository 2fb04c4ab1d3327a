"""A ring that fills the table exactly."""
from easyasc.a2 import *


@kernel()
def load_bias(bias: GMTensor, M: Var):
    l1_bias = Tensor(DT.float, [1, 128], Position.L1, layout=Layout.ND)
    bt = DBuff(DT.float, [1, 128], Position.BT)
    with auto_sync():
        l1_bias <<= bias[0:1, 0:128]
        bt[0] <<= l1_bias
