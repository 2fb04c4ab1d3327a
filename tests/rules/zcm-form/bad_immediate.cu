__device__ void multiply(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint32_t accumulate) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %4, 0;"
        " tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, 0, p; }" //~ ERROR zcm-form: a constant where this belongs: the predicate
        :: "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(accumulate));
}
__device__ void too_few(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, 1, 0;"
        " tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4; }" //~ ERROR zcm-form: nothing declares `%4`
        :: "r"(d), "l"(a), "l"(b), "r"(idesc));
}
__device__ void shapeless(uint32_t d, uint64_t a, uint64_t b) {
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, 1, 0;"
        " tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, 0, p; }" //~ ERROR zcm-form: a constant where this belongs: the instruction descriptor
        :: "r"(d), "l"(a), "l"(b));
}
