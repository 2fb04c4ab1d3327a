// Some cores have one block more than the others, and the host counts their tiles.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t BUFFER_NUM = 2;

struct AddTilingData {
    uint32_t smallCoreDataNum;
    uint32_t bigCoreDataNum;
    uint32_t finalBigTileNum;
    uint32_t finalSmallTileNum;
    uint32_t tileDataNum;
    uint32_t smallTailDataNum;
    uint32_t bigTailDataNum;
    uint32_t tailBlockNum;
};

template <typename T> class KernelAdd {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const AddTilingData &t, TPipe *pipe)
    {
        uint32_t coreNum = GetBlockIdx();
        uint32_t globalBufferIndex = t.bigCoreDataNum * GetBlockIdx();
        this->tileDataNum = t.tileDataNum;
        if (coreNum < t.tailBlockNum) {
            this->coreDataNum = t.bigCoreDataNum;
            this->tileNum = t.finalBigTileNum;
            this->tailDataNum = t.bigTailDataNum;
        } else {
            this->coreDataNum = t.smallCoreDataNum;
            this->tileNum = t.finalSmallTileNum;
            this->tailDataNum = t.smallTailDataNum;
            globalBufferIndex -= (t.bigCoreDataNum - t.smallCoreDataNum) * (GetBlockIdx() - t.tailBlockNum);
        }
        xGm.SetGlobalBuffer((__gm__ T *)x + globalBufferIndex, this->coreDataNum);
        yGm.SetGlobalBuffer((__gm__ T *)y + globalBufferIndex, this->coreDataNum);
        zGm.SetGlobalBuffer((__gm__ T *)z + globalBufferIndex, this->coreDataNum);
        pipe->InitBuffer(inQueueX, BUFFER_NUM, this->tileDataNum * sizeof(T));
        pipe->InitBuffer(inQueueY, BUFFER_NUM, this->tileDataNum * sizeof(T));
        pipe->InitBuffer(outQueueZ, BUFFER_NUM, this->tileDataNum * sizeof(T));
    }
    __aicore__ inline void Process()
    {
        int32_t loopCount = this->tileNum;
        this->processDataNum = this->tileDataNum;
        for (int32_t i = 0; i < loopCount; i++) {
            if (i == this->tileNum - 1) {
                this->processDataNum = this->tailDataNum;
            }
            CopyIn(i);
            Compute(i);
            CopyOut(i);
        }
    }

private:
    __aicore__ inline void CopyIn(int32_t progress)
    {
        LocalTensor<T> xLocal = inQueueX.AllocTensor<T>();
        LocalTensor<T> yLocal = inQueueY.AllocTensor<T>();
        DataCopy(xLocal, xGm[progress * this->tileDataNum], this->processDataNum);
        DataCopy(yLocal, yGm[progress * this->tileDataNum], this->processDataNum);
        inQueueX.EnQue(xLocal);
        inQueueY.EnQue(yLocal);
    }
    __aicore__ inline void Compute(int32_t progress)
    {
        LocalTensor<T> xLocal = inQueueX.DeQue<T>();
        LocalTensor<T> yLocal = inQueueY.DeQue<T>();
        LocalTensor<T> zLocal = outQueueZ.AllocTensor<T>();
        Add(zLocal, xLocal, yLocal, this->processDataNum);
        outQueueZ.EnQue<T>(zLocal);
        inQueueX.FreeTensor(xLocal);
        inQueueY.FreeTensor(yLocal);
    }
    __aicore__ inline void CopyOut(int32_t progress)
    {
        LocalTensor<T> zLocal = outQueueZ.DeQue<T>();
        DataCopy(zGm[progress * this->tileDataNum], zLocal, this->processDataNum);
        outQueueZ.FreeTensor(zLocal);
    }

    TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX, inQueueY;
    TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueZ;
    GlobalTensor<T> xGm, yGm, zGm;
    uint32_t coreDataNum, tileNum, tileDataNum, tailDataNum, processDataNum;
};

//~ VERDICT add_big_small.ownership: holds
// a2lint: launch(block_dim=3, x=float[1216], y=float[1216], z=float[1216], tiling.smallCoreDataNum=384, tiling.bigCoreDataNum=416, tiling.finalBigTileNum=4, tiling.finalSmallTileNum=3, tiling.tileDataNum=128, tiling.smallTailDataNum=128, tiling.bigTailDataNum=32, tiling.tailBlockNum=2)
extern "C" __global__ __aicore__ void add_big_small(GM_ADDR x, GM_ADDR y, GM_ADDR z, AddTilingData tiling)
{
    TPipe pipe;
    KernelAdd<float> op;
    op.Init(x, y, z, tiling, &pipe);
    op.Process();
}
