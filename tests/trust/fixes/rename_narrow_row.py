#~ pedantic
# A fix that names a tensor elsewhere leaves strings, f-string texts and comments alone
from easyasc.a2 import *
LABEL = "ub"   # ub is not to be renamed here
@kernel(block_dim=1)
def f(x: GMTensor, y: GMTensor):
    """ub holds rows; see ub in the docs."""
    ub = Tensor(DT.half, [4, 24], Position.UB, name="ub")  # ub: rows  #~ WARNING narrow-row: `ub` [4,24] has rows of 48 bytes; blocks have 32
    if GetSubBlockIdx() == 0:
        with auto_sync():
            ub <<= x[0:4, 0:24]  #~ ERROR operand-overrun: gm_to_ub_pad() writes 32 elements past the end
            sim_print("ub", f"{LABEL} ub", ub)
            y[0:4, 0:24] <<= ub  #~ ERROR operand-overrun: ub_to_gm_pad() reads 24 elements past the end
    return y
