#~ pedantic
"""An event from S to MTE3."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def count(y: GM[i32, 8]):
    row = Tensor(i32, [1, 8], Position.UB)
    number = Var(7)
    written = SEvent(Pipe.S, Pipe.MTE3)
    with auto_sync():
        dup(row, 0, count=8)
        number.SetValueTo(row[0:1, 0:1])
        written.set()
        written.wait()
        y[0:8] <<= row
    return y


if __name__ == "__main__":
    OpExec(count, launcher="sim")(torch.empty(8, dtype=torch.int32))
