# An instruction that is not simulated may be what orders others: its tensors race with nothing that it stands between.
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def batches(image: GM[f16, ("R", 16)], filters: GM[f16, (32, 144)], out: GM[f32, ("S", 16)], nb: i32, side: i32):
    #~ VERDICT batches.order: undecided
    window = Conv2D(3, 3, pad=(1, 1, 1, 1))
    plane = Tensor(DT.half, [64, 16], Position.L1)
    kept = Tensor(DT.half, [32, 144], Position.L1)
    sums = Tensor(DT.float, [32, 32], Position.L0C)
    with auto_sync():
        kept <<= filters[:, :]
        for n in range(nb):
            plane <<= image[n * 64:n * 64 + 64, :]
            for m0 in range(0, side, 32):
                if GetCubeIdx() == (m0 // 32) % 1:
                    conv2d(sums, plane, kept, window, h=8, w=8, c=16, cout=32, m0=m0, tile_k=144)
                    l0c_to_gm_nz2nz(out[n * side + m0:n * side + m0 + 32, :], sums, m_pad=side)
    return out
