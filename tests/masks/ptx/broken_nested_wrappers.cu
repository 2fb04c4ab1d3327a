// What is wrong shows only at the call of a wrapper around a wrapper.
#include <cstdint>

__device__ void mma(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint64_t mask) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4;\n\t}"
                 //~^ WARNING zcm-disabled-fields: the skip span and the use span have no effect
                 //~^^ ERROR zcm-shift-range: the column shift is 24, above the limit of 16 for M = 32
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "l"(mask));
}

__device__ void shifted_mma(uint32_t d, uint64_t a, uint64_t b, uint32_t shift) {
    mma(d, a, b, (32u >> 4) << 24 | (128u >> 3) << 17 | 1u << 4,
        uint64_t(2) << 40 | uint64_t(3) << 48 | uint64_t(shift) << 56);
}

__global__ void kernel(uint32_t d, uint64_t a, uint64_t b) {
    shifted_mma(d, a, b, 24);
}

// The same mask, passed on by name, and as an argument of a template.
__device__ void named_mma(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint64_t mask) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4;\n\t}"
                 //~^ ERROR zcm-reserved-bits: bits 62, 63
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "l"(mask));
}

__device__ void pass_mma(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint64_t mask) {
    named_mma(d, a, b, idesc, mask);
}

template <int Shift, bool Wide>
__device__ void shift_mma(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4;\n\t}"
                 //~^ ERROR zcm-reserved-bits: bits 62, 63
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "l"(uint64_t(Shift) << 60));
}

// A mask that a function may change on the way says nothing.
__device__ void change(uint64_t &mask);

__device__ void changed_mma(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint64_t mask) {
    change(mask);
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4;\n\t}"
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "l"(mask));
}

__global__ void kernels(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc) {
    pass_mma(d, a, b, idesc, 0xC000000000000000ull);
    shift_mma<12, true>(d, a, b, idesc);
    changed_mma(d, a, b, idesc, 0xC000000000000000ull);
}
