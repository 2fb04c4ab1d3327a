__device__ void multiply(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint32_t accumulate) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %4, 0;"
        " tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, 0; }"
        :: "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(accumulate));
}
#define KIND ".kind::f16"
__device__ void pieces(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint32_t accumulate) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %4, 0;"
        " tcgen05.mma.cta_group::1" KIND COLLECTOR " [%0], %1, %2, %3, p; }"
        :: "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(accumulate));
}
