// Rows of candidates are padded with negative infinities, and the score of each row, which only the data knows, is
// added: what pads a row still loses every maximum.
#include "kernel_operator.h"
using namespace AscendC;

class Beams {
public:
    __aicore__ inline void Run(GM_ADDR logits, GM_ADDR scores, GM_ADDR best, uint32_t beams)
    {
        __gm__ float* at = (__gm__ float*)logits + GetBlockIdx() * beams * 64;
        gLogits.SetGlobalBuffer(at);
        gScores.SetGlobalBuffer((__gm__ float*)scores);
        gBest.SetGlobalBuffer((__gm__ float*)best + GetBlockIdx() * 1024);
        pipe.InitBuffer(in, 1, 1024 * sizeof(float));
        pipe.InitBuffer(out, 1, 1024 * sizeof(float));
        LocalTensor<float> row = in.AllocTensor<float>();
        uint32_t bits = 0xff800000;
        Duplicate(row, *reinterpret_cast<float*>(&bits), 1024);
        PipeBarrier<PIPE_ALL>();
        DataCopy(row, gLogits, 512);
        in.EnQue(row);
        row = in.DeQue<float>();
        for (uint32_t beam = 0; beam < 8; ++beam) {
            Adds(row[beam * 128], row[beam * 128], gScores.GetValue(beam), 128);
        }
        LocalTensor<float> top = out.AllocTensor<float>();
        PipeBarrier<PIPE_V>();
        Maxs(top, row, -1.0e30f, 1024);
        in.FreeTensor(row);
        out.EnQue(top);
        top = out.DeQue<float>();
        DataCopy(gBest, top, 1024);
        out.FreeTensor(top);
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    GlobalTensor<float> gLogits, gScores, gBest;
};

extern "C" __global__ __aicore__ void beams(GM_ADDR logits, GM_ADDR scores, GM_ADDR best, uint32_t count)
{
    Beams op;
    op.Run(logits, scores, best, count);
}
