#~ pedantic
"""S as the earlier pipe is the author's, in a region too: the store may miss the value."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def count(y: GM[i32, 8]):
    row = Tensor(i32, [1, 8], Position.UB)
    number = Var(7)
    with auto_sync():
        dup(row, 0, count=8)
        number.SetValueTo(row[0:1, 0:1])
        y[0:8] <<= row  #~ WARNING scalar-hazard: S→MTE3
    return y


if __name__ == "__main__":
    OpExec(count, launcher="sim")(torch.empty(8, dtype=torch.int32))
