// a2lint: device a2
#include "blend.h"

#define INSTANTIATE_BLEND(T, ROWS, COLS) \
    template void LaunchBlend<T, ROWS, COLS>(T * out, uint8_t * bits, T * one, T * other, void *stream);

INSTANTIATE_BLEND(float, 16, 64)
INSTANTIATE_BLEND(aclFloat16, 16, 128)
INSTANTIATE_BLEND(int32_t, 8, 256)
