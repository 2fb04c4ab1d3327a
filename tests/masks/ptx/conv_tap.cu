// A tap of a convolution: the mask comes from the geometry, which is known when this is compiled.
#include <cstdint>

constexpr uint32_t kWidth = 30;
constexpr uint32_t kPad = 1;
constexpr uint64_t kGenerate = 1ull << 39;
constexpr uint64_t kLeftTap = kGenerate | (uint64_t(kPad - 1) << 40)
                            | (uint64_t(kWidth - kPad - 1) << 48) | (uint64_t(1) << 32);

extern "C" __global__ void __launch_bounds__(128)
conv_tap(const uint64_t *__restrict__ descriptors, uint32_t tmem, int taps) {
    const uint32_t idesc = (128u >> 4) << 24 | (256u >> 3) << 17 | 1u << 4;
    for (int tap = 0; tap < taps; ++tap) {
        asm volatile(
            "{\n"
            "  .reg .pred accumulate;\n"
            "  setp.ne.b32 accumulate, %4, 0;\n"
            "  tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, accumulate, %5;\n"
            "}\n" ::"r"(tmem),
            "l"(descriptors[2 * tap]), "l"(descriptors[2 * tap + 1]), "r"(idesc), "r"(tap),
            "l"(kLeftTap)
            : "memory");
    }
}
