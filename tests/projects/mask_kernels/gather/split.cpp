// Entry points: one instance for each tiling key.
#include "split.h"

using namespace split;

extern "C" __global__ __aicore__ void split_pairs(GM_ADDR x, GM_ADDR y, GM_ADDR tiling) {
    if (TILING_KEY_IS(1)) {
        Split<float, SmallTiling> op;
        op.Init(x, y);
        op.Process();
    } else if (TILING_KEY_IS(2)) {
        Split<half, WideTiling, layout::Half::SECOND> op;
        op.Init(x, y);
        op.Process();
    } else {
        Split<half, SmallTiling> op;
        op.Init(x, y);
        op.Process();
    }
}
