// z = x + y over a length that does not divide evenly: the first cores take one block more.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

struct AddTiling {
    uint32_t formerNum;
    uint32_t formerLength;
    uint32_t tailLength;
    uint32_t tileLength;
};

class KernelAddSplit {
public:
    __aicore__ inline KernelAddSplit() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const AddTiling& tiling)
    {
        uint32_t offset = 0;
        if (GetBlockIdx() < tiling.formerNum) {
            coreLength = tiling.formerLength;
            offset = tiling.formerLength * GetBlockIdx();
        } else {
            coreLength = tiling.tailLength;
            offset = tiling.formerLength * tiling.formerNum + tiling.tailLength * (GetBlockIdx() - tiling.formerNum);
        }
        tileLength = tiling.tileLength;
        xGm.SetGlobalBuffer((__gm__ half*)x + offset, coreLength);
        yGm.SetGlobalBuffer((__gm__ half*)y + offset, coreLength);
        zGm.SetGlobalBuffer((__gm__ half*)z + offset, coreLength);
        pipe.InitBuffer(inQueueX, BUFFER_NUM, tileLength * sizeof(half));
        pipe.InitBuffer(inQueueY, BUFFER_NUM, tileLength * sizeof(half));
        pipe.InitBuffer(outQueueZ, BUFFER_NUM, tileLength * sizeof(half));
    }

    __aicore__ inline void Process()
    {
        uint32_t tiles = coreLength / tileLength;
        for (uint32_t i = 0; i < tiles; i++) {
            CopyIn(i, tileLength);
            Compute(tileLength);
            CopyOut(i, tileLength);
        }
        uint32_t rest = coreLength - tiles * tileLength;
        if (rest > 0) {
            CopyIn(tiles, rest);
            Compute(rest);
            CopyOut(tiles, rest);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t tile, uint32_t count)
    {
        LocalTensor<half> xLocal = inQueueX.AllocTensor<half>();
        LocalTensor<half> yLocal = inQueueY.AllocTensor<half>();
        DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
        DataCopyPadExtParams<half> pad{false, 0, 0, 0};
        DataCopyPad(xLocal, xGm[tile * tileLength], copy, pad);
        DataCopyPad(yLocal, yGm[tile * tileLength], copy, pad);
        inQueueX.EnQue(xLocal);
        inQueueY.EnQue(yLocal);
    }
    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<half> xLocal = inQueueX.DeQue<half>();
        LocalTensor<half> yLocal = inQueueY.DeQue<half>();
        LocalTensor<half> zLocal = outQueueZ.AllocTensor<half>();
        Add(zLocal, xLocal, yLocal, count);
        outQueueZ.EnQue<half>(zLocal);
        inQueueX.FreeTensor(xLocal);
        inQueueY.FreeTensor(yLocal);
    }
    __aicore__ inline void CopyOut(uint32_t tile, uint32_t count)
    {
        LocalTensor<half> zLocal = outQueueZ.DeQue<half>();
        DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(half)), 0, 0, 0};
        DataCopyPad(zGm[tile * tileLength], zLocal, copy);
        outQueueZ.FreeTensor(zLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX, inQueueY;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueZ;
    GlobalTensor<half> xGm, yGm, zGm;
    uint32_t coreLength;
    uint32_t tileLength;
};

// a2lint: launch(block_dim=3, x=half[2000], y=half[2000], z=half[2000], tiling.formerNum=2, tiling.formerLength=672, tiling.tailLength=656, tiling.tileLength=256)
extern "C" __global__ __aicore__ void add_former_tail(GM_ADDR x, GM_ADDR y, GM_ADDR z, AddTiling tiling)
{
    KernelAddSplit op;
    op.Init(x, y, z, tiling);
    op.Process();
}
