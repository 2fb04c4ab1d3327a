// An array of rows that is seen as one of elements: its rows lie side by side.
#include "kernel_operator.h"
using namespace AscendC;

class Shapes {
public:
    __aicore__ inline void Init()
    {
        for (int i = 0; i < 8; ++i) {
            ((int64_t *)this->all)[i] = 10 * i;
        }
    }
    __aicore__ inline int64_t Sum() const
    {
        const int64_t *at = &all[0][0];
        int64_t sum = 0;
        for (int i = 0; i < 8; ++i) {
            sum += at[i];
        }
        return sum;
    }
    int64_t all[2][4];
};

// The rows are 0, 10, 20, 30 and 40, 50, 60, 70: 280 in all.
// a2lint: launch(block_dim=1, x=float[280], y=float[280])
extern "C" __global__ __aicore__ void rows(GM_ADDR x, GM_ADDR y)
{
    Shapes shapes;
    shapes.Init();
    TPipe pipe;
    TBuf<> buf;
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 280);
    yGm.SetGlobalBuffer((__gm__ float *)y, 280);
    pipe.InitBuffer(buf, 280 * sizeof(float));
    LocalTensor<float> all = buf.Get<float>();
    DataCopy(all, xGm, shapes.Sum());
    PipeBarrier<PIPE_ALL>();
    DataCopy(yGm, all, shapes.all[1][3] + shapes.all[1][0] + shapes.all[0][1]);
    DataCopy(yGm[120], all, 160);
}
