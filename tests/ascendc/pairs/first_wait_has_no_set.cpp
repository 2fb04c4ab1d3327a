// The first turn of the loop waits for a store of the turn before it, and there was none.
#include "kernel_operator.h"
using namespace AscendC;

struct Shape {
    int32_t tiles;
    int32_t tile;
};

class InPlace {
public:
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y, const Shape& shape)
    {
        TPipe pipe;
        TBuf<> buf;
        pipe.InitBuffer(buf, shape.tile * sizeof(float));
        LocalTensor<float> t = buf.Get<float>();
        GlobalTensor<float> gx, gy;
        gx.SetGlobalBuffer((__gm__ float*)x, shape.tiles * shape.tile);
        gy.SetGlobalBuffer((__gm__ float*)y, shape.tiles * shape.tile);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID4);//-
        for (int32_t i = 0; i < shape.tiles; i++) {
            WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID4);
            DataCopy(t, gx[i * shape.tile], shape.tile);
            SetFlag<HardEvent::MTE2_V>(EVENT_ID4);
            WaitFlag<HardEvent::MTE2_V>(EVENT_ID4);
            Relu(t, t, shape.tile);
            SetFlag<HardEvent::V_MTE3>(EVENT_ID4);
            WaitFlag<HardEvent::V_MTE3>(EVENT_ID4);
            DataCopy(gy[i * shape.tile], t, shape.tile);
            SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID4);
        }
//+        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID4);  //~ progress
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID4);//-
    }
};

// a2lint: launch(block_dim=1, x=float[768], y=float[768], shape.tiles=3, shape.tile=256)
extern "C" __global__ __aicore__ void relu_in_place(GM_ADDR x, GM_ADDR y, Shape shape)
{
    InPlace op;
    op.Process(x, y, shape);
}
