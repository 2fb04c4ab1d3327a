// A file that ends in the middle of its kernel has a mistake; that it has no kernel entry is no reason to pass it over.
//~ NOT-ANALYSED
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y)
{  //~ ERROR syntax-error: `{` is never closed
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 1, 256);
