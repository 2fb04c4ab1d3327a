// y = x^T for blocks of 16 x 32 floats, by a gather with byte offsets that are made once.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t R = 16;
constexpr int32_t C = 32;
constexpr int32_t N = R * C;

class BlockTranspose {
public:
    __aicore__ inline BlockTranspose(GM_ADDR x, GM_ADDR y, int32_t blocks) : blocks_(blocks)
    {
        gx.SetGlobalBuffer((__gm__ float*)x, blocks * N);
        gy.SetGlobalBuffer((__gm__ float*)y, blocks * N);
        pipe.InitBuffer(in, 2, N * sizeof(float));
        pipe.InitBuffer(out, 2, N * sizeof(float));
        pipe.InitBuffer(offsets, N * sizeof(uint32_t));
    }

    __aicore__ inline void MakeOffsets()
    {
        LocalTensor<uint32_t> at = offsets.Get<uint32_t>();
        for (int32_t i = 0; i < N; i++) {
            const int32_t row = i / R;
            const int32_t col = i % R;
            at.SetValue(i, static_cast<uint32_t>((col * C + row) * sizeof(float)));
        }
        event_t ready = static_cast<event_t>(pipe.FetchEventID(HardEvent::S_V));
        SetFlag<HardEvent::S_V>(ready);
        WaitFlag<HardEvent::S_V>(ready);
    }

    __aicore__ inline void Run()
    {
        MakeOffsets();
        LocalTensor<uint32_t> at = offsets.Get<uint32_t>();
        for (int32_t b = GetBlockIdx(); b < blocks_; b += GetBlockNum()) {
            LocalTensor<float> x = in.AllocTensor<float>();
            DataCopy(x, gx[b * N], N);
            in.EnQue(x);
            x = in.DeQue<float>();
            LocalTensor<float> y = out.AllocTensor<float>();
            Gather(y, x, at, 0, N);
            in.FreeTensor(x);
            out.EnQue(y);
            y = out.DeQue<float>();
            DataCopy(gy[b * N], y, N);
            out.FreeTensor(y);
        }
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    TBuf<QuePosition::VECCALC> offsets;
    GlobalTensor<float> gx, gy;
    int32_t blocks_;
};

// a2lint: launch(block_dim=2, x=float[5, 512], y=float[5, 512], blocks=5)
extern "C" __global__ __aicore__ void transpose_gather(GM_ADDR x, GM_ADDR y, int32_t blocks)
{
    BlockTranspose op(x, y, blocks);
    op.Run();
}
