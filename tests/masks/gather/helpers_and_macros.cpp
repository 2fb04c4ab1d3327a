// What must not be guessed: macros, templates, values of the caller, parameters filled elsewhere.
#include "kernel_operator.h"

using namespace AscendC;

#define CHECK(call) do { call; } while (0)
#define STRIDE 8

template <typename T, uint16_t repeats, bool counter>
__aicore__ inline void take(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint8_t pattern, uint32_t mask) {
    uint64_t kept = 0;
    GatherMaskParams params = MakeParams(repeats);
    if constexpr (sizeof(T) == sizeof(float)) {
        GatherMask<T>(dst, src, pattern, counter, mask, params, kept);
    } else {
        GatherMask<T>(dst[mask], src, pattern, counter, mask, {1, repeats, STRIDE, 0}, kept);
    }
    CHECK(GatherMask(dst, src, pattern, counter, mask, params, kept));
#ifdef DEBUG_DUMP
    DumpTensor(dst, 0, 64);
#endif
}
//~ NOT-ANALYSED
