"""The staging tensor of a select counts as used; tensors may be allocated where they are used."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec")
def pick(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    for step in range(GetVecIdx(), M // 64, GetVecNum()):
        with auto_sync():
            tile = Tensor(f32, [64, 64], Position.UB)
            other = Tensor(f32, [64, 64], Position.UB)
            out = Tensor(f32, [64, 64], Position.UB)
            mask = Tensor(u8, [64, 8], Position.UB)
            staging = Tensor(u32, [1, 8], Position.UB)
            tile <<= x[step * 64:step * 64 + 64, 0:64]
            muls(other, tile, 0.1)
            compare_scalar(mask, tile, 0.0, CompareMode.GT)
            select(out, mask, tile, other, SelectMode.TENSOR_TENSOR, tmp_addr_buf=staging)
            y[step * 64:step * 64 + 64, 0:64] <<= out
    return y


if __name__ == "__main__":
    OpExec(pick, launcher="sim", block_dim=2)(torch.randn(192, 64), torch.empty(192, 64))
